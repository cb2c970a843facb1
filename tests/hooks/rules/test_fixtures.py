"""Each rule against the small trees beside this file.

``<rule_name>/<case>/`` is laid over ``_base/`` and judged. A finding is expected on each line that ends
in ``# expect: rule`` (``rule severity`` to hold the severity, too; several with commas), and nowhere else;
the comments are taken out before the tree is judged. Only the folder's own rule and those that a comment
names are compared.

A case with ``before/`` and ``after/`` is a change: ``after`` is judged against ``before``, both over ``_base``.
``release/`` is committed and tagged as a release before that; without a ``before/`` it is the base, too.
``x.py.fixed`` holds what ``--fix`` makes of ``x.py``, with comments for what it leaves.
What a file ``.expect`` states is about the folder that it lies in; ``.arguments`` holds further arguments, one a line.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from torchrl_preflight.hooks.rules._find import names

HERE = Path(__file__).parent
CASES = sorted(
    case
    for rule in HERE.iterdir()
    if rule.is_dir() and rule.name[0] not in "_."
    for case in rule.iterdir()
    if case.is_dir()
)
RELEASE = "v0.13.0"
_EXPECT = re.compile(rb"[ \t]*#[ \t]*expect:[ \t]*([a-z][-a-z, ]*[a-z])[ \t]*(?=\r?$)", re.MULTILINE)

Expected = set[tuple[str, int | None, str, str]]


def _name(case: Path) -> str:
    return case.relative_to(HERE).as_posix()


def _lay(source: Path, target: Path) -> tuple[Expected, dict[str, bytes], Expected]:
    """Copies a tree without its comments; gives what it expects, the files after ``--fix``, and what those expect."""
    expected, fixed, left = set(), {}, set()
    for file in sorted(source.rglob("*")):
        if file.is_dir():
            continue
        path = file.relative_to(source).as_posix()
        data = file.read_bytes()
        if path == ".arguments":
            continue
        folder = os.path.dirname(path) or "." if file.name == ".expect" else ""
        stated = {
            (
                folder or path.removesuffix(".fixed"),
                None if folder else data.count(b"\n", 0, match.start()) + 1,
                *_rule(item),
            )
            for match in _EXPECT.finditer(data)
            for item in match[1].decode().split(",")
        }
        if folder:
            expected |= stated
            continue
        data = _EXPECT.sub(b"", data)
        if path.endswith(".fixed"):
            fixed[path.removesuffix(".fixed")] = data
            left |= stated
        else:
            expected |= stated
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(data)
            shutil.copymode(file, target / path)
    return expected, fixed, left | {item for item in expected if item[0] not in fixed}


def _rule(stated: str) -> tuple[str, str]:
    rule, _, severity = stated.strip().partition(" ")
    return rule, severity.strip()


def _compared(outcome, rules: set[str], expected: Expected) -> Expected:
    """The findings of some rules; the severity is left out where nothing is stated about it."""
    found = set()
    for item in outcome.report["findings"]:
        if item["rule"] in rules:
            key = (item["path"], item["line"], item["rule"])
            found.add((*key, "" if (*key, "") in expected else item["severity"]))
    return found


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_case(case: Path, repo, lint) -> None:
    after = case
    how = ("--format", "json", "--all")
    for stage in [case / name for name in ("release", "before") if (case / name).is_dir()]:
        _lay(stage, repo.path)
        repo.commit(stage.name)
        if stage.name == "release":
            repo.git("tag", RELEASE)
        for path in [path for path in stage.rglob("*") if path.is_file()]:
            (repo.path / path.relative_to(stage)).unlink()
    if (case / "after").is_dir():
        after, how = case / "after", ("--format", "json", "--base", "HEAD")
    if (after / ".arguments").exists():
        how += tuple((after / ".arguments").read_text().splitlines())
    expected, fixed, left = _lay(after, repo.path)
    rules = {case.parent.name.replace("_", "-"), *(item[2] for item in expected)}

    assert _compared(lint(repo, *how), rules, expected) == expected
    if not fixed:
        return

    start = _contents(repo.path)
    selected = ("--select", ",".join(sorted(rules)))
    assert lint(repo, *how, "--fix", *selected).status == 1
    assert _contents(repo.path) == {**start, **fixed}
    assert _compared(lint(repo, *how), rules, left) == left
    again = lint(repo, *how, "--fix", *selected)
    assert again.report["fixed"] == []
    assert _contents(repo.path) == {**start, **fixed}


@pytest.mark.parametrize("rule", names())
def test_every_rule_has_a_bad_and_a_good_case(rule: str) -> None:
    kinds = {rule in _rules_expected(case) for case in CASES if case.parent.name == rule.replace("-", "_")}
    assert kinds == {True, False}, (
        f"tests/hooks/rules/{rule.replace('-', '_')}/ needs a case with a finding and one without"
    )


def test_every_folder_belongs_to_a_rule() -> None:
    assert {case.parent.name.replace("_", "-") for case in CASES} <= set(names())


def _rules_expected(case: Path) -> set[str]:
    files = (file for file in case.rglob("*") if file.is_file() and file.suffix != ".fixed")
    return {
        _rule(item)[0]
        for file in files
        for match in _EXPECT.finditer(file.read_bytes())
        for item in match[1].decode().split(",")
    }
