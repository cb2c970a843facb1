"""What every report puts first: removed tests, new suppressions and waivers, grown allowlists."""

from __future__ import annotations

import pytest

TESTS = "def test_step():\n    assert step()\n\n\ndef test_reset():\n    assert reset()\n"
GAPS = '_CONFIG_PARITY_KNOWN_GAPS = frozenset(\n    {{\n        "AConfig",{}\n    }}\n)\n'
PROJECT = "[tool.torchrl-preflight]\nenforce-all = []\n"
WAIVED = (
    PROJECT
    + '[tool.torchrl-preflight.rules]\nemoji = "off"\nlost-mark = "error"\n'
    + '[[tool.torchrl-preflight.waivers]]\nrule = "lost-test"\nsymbol = "test_old"\nreason = "gone for good"\n'
)
SETUP = "[flake8]\nexclude = venv\nper-file-ignores =\n    a.py: F401\n{}"
IGNORED = "# preflight: ignore[print-in-library] a command line\n"


@pytest.fixture
def changed(repo):
    """A change that hides a little of everything."""
    repo.commit(
        "before",
        {
            "test/test_env.py": TESTS,
            "test/test_configs.py": GAPS.format(""),
            "pyproject.toml": PROJECT,
            "setup.cfg": SETUP.format(""),
            "torchrl/old.py": f"{IGNORED}print(1)\n",
        },
    )
    repo.commit(
        "after\n\nRemoves-tests: step is private",
        {
            "test/test_env.py": TESTS[:36],
            "test/test_configs.py": GAPS.format('\n        "BConfig",'),
            "pyproject.toml": WAIVED,
            "setup.cfg": SETUP.format("    b.py: F401\n"),
            "torchrl/old.py": None,
            "torchrl/new.py": f"{IGNORED}print(1)\n",
            "torchrl/other.py": "import torch  # preflight: ignore[emoji,gpu-marker-missing]\n",
        },
    )
    return repo


EXPECTED = [
    ("removed test", "test/test_env.py", 5, "test_reset (Removes-tests: step is private)"),
    ("new suppression", "torchrl/other.py", 1, "emoji, gpu-marker-missing, without a reason"),
    ("new waiver", "pyproject.toml", 8, "lost-test test_old: gone for good"),
    ("rule turned off", "pyproject.toml", 4, "emoji"),
    ("grown allowlist", "test/test_configs.py", 1, "_CONFIG_PARITY_KNOWN_GAPS: BConfig"),
    ("grown allowlist", "setup.cfg", 3, "per-file-ignores: b.py: F401"),
]
HOW = ("--ref", "HEAD", "--base", "HEAD^", "--select", "lost-test")


def test_all_of_it_in_its_order(changed, lint) -> None:
    found = lint(changed, *HOW, "--format", "json").report["first"]
    assert [tuple(item.values()) for item in found] == EXPECTED


@pytest.mark.parametrize("how", ["text", "github"])
def test_it_comes_before_the_findings(changed, lint, how) -> None:
    lines = lint(changed, *HOW, "--format", how).out.splitlines()
    assert lines[:2] == ["Look at this first: 1 removed test", f"  test/test_env.py:5 {EXPECTED[0][3]}"]
    assert "Look at this first: 2 grown allowlists" in lines


def test_it_is_text_in_markdown(changed, lint) -> None:
    changed.commit("x", {"torchrl/x.py": "x = 1  # preflight: ignore[emoji] **why** <b>@user #1\x1b[2J ##[error]\n"})
    out = lint(changed, *HOW, "--format", "markdown").out
    assert out.startswith("**Look at this first: 1 new suppression**\n")
    assert "\\*\\*why\\*\\* &lt;b&gt;@\u200buser #\u200b1" in out
    assert "\x1b" not in out and "##[" not in out


def test_an_unchanged_or_moved_suppression_is_not_new(changed, lint) -> None:
    changed.commit("more", {"torchrl/new.py": f"x = 1\n{IGNORED}print(1)\n"})
    assert lint(changed, *HOW, "--format", "json").report["first"] == []


@pytest.mark.parametrize("old", [b"\xff\xfe\x00", b"[tool", b"[tool]\ntorchrl-preflight = 3\n", b"tool = []\n"])
def test_a_configuration_that_could_not_be_read_before(repo, lint, old) -> None:
    repo.commit("before", {"pyproject.toml": old})
    repo.commit("after", {"pyproject.toml": WAIVED})
    kinds = [item["kind"] for item in lint(repo, *HOW, "--format", "json").report["first"]]
    assert kinds == ["new waiver", "rule turned off"]


def test_long_lists_are_cut_in_text_only(repo, lint) -> None:
    repo.commit("before", {"test/test_env.py": "".join(f"def test_{n}():\n    assert f{n}({n})\n" for n in range(14))})
    repo.commit("after", {"test/test_env.py": None})
    lines = lint(repo, *HOW).out.splitlines()
    assert lines[0] == "Look at this first: 14 removed tests"
    assert lines[11] == "  and 4 more"
    assert len(lint(repo, *HOW, "--format", "json").report["first"]) == 14
