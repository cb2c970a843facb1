"""The report as JUnit XML."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

from torchrl_preflight.checks.junit import render
from torchrl_preflight.checks.record import Check, Report

from .conftest import Outcome, Site

CHECKS = (
    Check("envs/one", "envs", "cpu", "passed", seconds=0.5),
    Check("envs/two", "envs", "cpu", "failed", "a < b & \x1b[31mc\x00", "do | this", ("W: careful",), 1.25),
    Check("specs/three", "specs", "mp", "unverified", "no package", "pip install x"),
    Check("specs/four", "specs", "mp", "blocked", "torch is broken"),
)


def test_states_counts_and_words() -> None:
    root = ET.fromstring(render(Report({"torch": "2.9", "gpus": ["A", "B"], "cuda": None}, CHECKS)))
    assert root.attrib == {
        "name": "torchrl-smoke", "tests": "4", "failures": "1", "errors": "1", "skipped": "1", "time": "1.750"
    }  # fmt: skip
    assert [suite.attrib["name"] for suite in root] == ["envs", "specs"]
    cases = {case.attrib["name"]: case for case in root.iter("testcase")}
    assert cases["envs/one"].attrib == {"classname": "envs", "name": "envs/one", "time": "0.500"}
    failure = cases["envs/two"].find("failure")
    assert failure is not None
    assert (failure.attrib["message"], failure.text) == ("a < b & \ufffd[31mc\ufffd", "do | this")
    assert cases["envs/two"].findtext("system-out") == "W: careful"
    skipped = cases["specs/three"].find("skipped")
    assert skipped is not None
    assert skipped.attrib["message"] == "no package"
    assert cases["specs/four"].find("error") is not None
    assert {it.attrib["name"]: it.attrib["value"] for it in root[0].iter("property")} == {
        "torch": "2.9", "gpus": "A, B", "cuda": "None"
    }  # fmt: skip


def test_the_file_is_written_beside_the_report(site: Site, smoke: Callable[..., Outcome], tmp_path: Path) -> None:
    site.trio(envs="from torch import no_such_name")
    file = tmp_path / "report.xml"
    done = smoke("--area", "envs", "--format", "json", "--junit-xml", str(file))
    assert done.status == 1
    (case,) = ET.parse(file).getroot().iter("testcase")
    assert case.attrib["name"] == list(done.checks)[0]


def test_a_file_that_cannot_be_written_is_refused_first(smoke: Callable[..., Outcome], tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "report.xml"):
        done = smoke("--junit-xml", str(path))
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
