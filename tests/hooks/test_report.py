"""Reports: every format holds the same findings, and none can be made to say something else."""

from __future__ import annotations

import html
import json
import re
from urllib.parse import unquote

import pytest
from torchrl_preflight.hooks.base import Base
from torchrl_preflight.hooks.finding import Edit, Finding
from torchrl_preflight.hooks.report import FORMATS, Report, Style, printable, render

PATCH = (
    "--- a/test/test_a.py\n+++ b/test/test_a.py\n@@ -1,2 +1,3 @@\n import pytest\n+@pytest.mark.gpu\n def test_a():\n"
)


def finding(number: int, severity: str = "error", new: bool = True, **more) -> Finding:
    values = {
        "path": f"test/test_{number}.py",
        "line": number + 1,
        "symbol": f"test_{number}",
        "message": f"message {number}",
        "hint": f"hint {number}",
        "severity": severity,
        "rule": f"rule-{number % 3}",
        "new": new,
        **more,
    }
    return Finding(**values)


def report(findings, **more) -> Report:
    values = {
        "base": Base("1" * 40, "--base main"),
        "notes": [],
        "fixed": [],
        "stats": {"files": 9, "judged": 3},
        **more,
    }
    return Report(findings=findings, **values)


def in_text(out: str) -> set[tuple]:
    found = re.findall(r"^(\S+?)(?::(\d+))?: (\w+): (\S+): (\S+)( \(not new\))?\n  (.+)$", out, re.MULTILINE)
    return {(path, line, severity, rule, symbol, message) for path, line, severity, rule, symbol, _, message in found}


def in_json(out: str) -> set[tuple]:
    return {
        (item["path"], str(item["line"] or ""), item["severity"], item["rule"], item["symbol"], item["message"])
        for item in json.loads(out)["findings"]
    }


def commands(out: str) -> list[tuple[str, dict[str, str], str]]:
    """What GitHub's runner takes from a log: the command, its properties and its data."""
    found = []
    for line in out.split("\n"):
        line = line.lstrip()
        assert "##[" not in line or line.startswith("::")
        if line.startswith("::") and "::" in line[2:]:
            info, _, data = line[2:].partition("::")
            name, _, pairs = info.partition(" ")
            found.append(
                (
                    name,
                    {key: unescaped(value) for key, _, value in (pair.partition("=") for pair in pairs.split(","))},
                    unescaped(data),
                )
            )
    return found


def unescaped(text: str) -> str:
    for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def in_github(out: str) -> set[tuple]:
    severities = {"error": "error", "warning": "warning", "notice": "advisory"}
    shown = set()
    for name, properties, data in commands(out):
        if "file" in properties:
            rule, _, symbol = properties["title"].partition(": ")
            shown.add(
                (properties["file"], properties.get("line", ""), severities[name], rule, symbol, data.split("\n")[0])
            )
    plain = re.findall(r"^  (\S+?)(?::(\d+))?: (\w+): (\S+): (\S+): (.+)$", out, re.MULTILINE)
    return shown | set(plain)


def in_sarif(out: str) -> set[tuple]:
    shown = set()
    for result in json.loads(out)["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        severity = {"note": "advisory"}.get(result["level"], result["level"])
        symbol = result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]
        message = result["message"]["text"].split("\n")[0].replace("{{", "{").replace("}}", "}")
        line = str(place.get("region", {}).get("startLine", ""))
        shown.add((unquote(place["artifactLocation"]["uri"]), line, severity, result["ruleId"], symbol, message))
    return shown


def in_markdown(out: str) -> set[tuple]:
    severities = {"### Errors": "error", "### Warnings": "warning", "<details><summary>Advisories": "advisory"}
    shown, severity, lines = set(), "", out.split("\n")
    for line, message in zip(lines, lines[2:]):
        severity = severities.get(line.partition(" (")[0], severity)
        if found := re.fullmatch(r"`(.+?)(?::(\d+))?` \*\*(\S+)\*\* `(.+)`(?: \(not new\))?", line):
            path, number, rule, symbol = found.groups()
            shown.add((path, number or "", severity, rule, symbol, html.unescape(re.sub(r"\\(.)", r"\1", message))))
    return shown


READERS = {"text": in_text, "json": in_json, "sarif": in_sarif, "github": in_github, "markdown": in_markdown}

MANY = [
    *[finding(number) for number in range(14)],
    *[finding(number, "warning") for number in range(20, 34)],
    *[finding(number, "advisory") for number in range(40, 54)],
    *[finding(number, "error", new=False) for number in range(60, 66)],
    finding(70, line=None, path="sota-implementations/x", symbol="x"),
    finding(71, edit=Edit(PATCH, True), also_touch=("docs/a.rst",), verify="python -m pytest"),
]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_holds_the_same_findings(name) -> None:
    expected = {(item.path, str(item.line or ""), item.severity, item.rule, item.symbol, item.message) for item in MANY}
    assert READERS[name](render(name, report(MANY), Style(advice=True))) == expected


@pytest.mark.parametrize("how", [("--base", "HEAD"), ("--base", "HEAD", "--all")], ids=" ".join)
def test_the_command_s_formats_hold_the_same_findings(repo, tests, lint, how) -> None:
    repo.commit("old", {"test/test_old.py": tests(*(f"test_{number}" for number in range(12)))})
    repo.write("test/test_new.py", tests(*(f"test_{number}" for number in range(12))))
    repo.write("torchrl/broken.py", "x = (\n")
    repo.write("test/test_unused.py", "x = 1  # preflight: ignore[gpu-marker-missing] own job\n")
    repo.write("pyproject.toml", '[tool.torchrl-preflight.rules]\nsuppression-unused = "advisory"\n')
    few = ("--select", "gpu-marker-missing,syntax-error,suppression-unused")
    outcomes = {name: lint(repo, "--format", name, "--advice", *few, *how) for name in FORMATS}
    found = {name: READERS[name](outcome.out) for name, outcome in outcomes.items()}
    assert len(found["json"]) == (26 if "--all" in how else 14)
    assert {frozenset(items) for items in found.values()} == {frozenset(found["json"])}
    assert {outcome.status for outcome in outcomes.values()} == {1}


def test_github_shows_ten_of_each_and_new_errors_first() -> None:
    old = [finding(number, new=False) for number in range(5)]
    out = render("github", report([*old, *MANY]), Style())
    by_name = {name: [item for item in commands(out) if item[0] == name] for name in ("error", "warning", "notice")}
    assert {name: len(items) for name, items in by_name.items()} == {"error": 10, "warning": 10, "notice": 10}
    assert [properties["file"] for _, properties, _ in by_name["error"]] == [
        f"test/test_{number}.py" for number in range(10)
    ]
    # 5 old and 22 errors, of which 10 are shown; 4 warnings and 5 advisories.
    assert by_name["notice"][-1] == (
        "notice",
        {"title": "torchrl-lint"},
        "26 more findings are listed in the log of this step",
    )
    assert len(re.findall(r"^  \S", out, re.MULTILINE)) == 26


def test_github_says_nothing_of_more_where_all_are_shown() -> None:
    out = render("github", report([finding(1), finding(2, "warning")]), Style())
    assert [name for name, _, _ in commands(out)] == ["error", "warning"]
    assert out.splitlines()[-1] == "1 new error, 1 new warning in 3 files judged"


def test_a_github_annotation() -> None:
    item = finding(
        1,
        path="test/a, b: c%.py",
        message="50% of\nit: a, b",
        column=5,
        end_line=9,
        edit=Edit(PATCH, True),
        verify="pytest",
    )
    out = render("github", report([item]), Style())
    name, properties, data = commands(out)[0]
    assert name == "error"
    assert properties == {
        "file": "test/a, b: c%.py",
        "line": "2",
        "endLine": "9",
        "col": "5",
        "title": "rule-1: test_1",
    }
    assert data == f"50% of\nit: a, b\nWhat to do: hint 1\nVerify: pytest\n{PATCH.rstrip()}"


FORGED = [
    "::error::forged",
    "  ::error::forged",
    "\t::error file=x::forged",
    "x\n::error::forged",
    "x\r::error::forged",
    "x\r\n::error::forged",
    "##[error]forged",
    "x##[add-mask]forged",
    "x %0A::error::forged",
    "x\u2028::error::forged",
    "x\x85::error::forged",
    "x\x0b::error::forged",
    "x::error::forged",
    "x,line=1::forged",
    "%0A",
    "x\udce9::y",
]


@pytest.mark.parametrize("text", FORGED, ids=repr)
@pytest.mark.parametrize("name", FORMATS)
def test_nothing_forges_a_workflow_command(name, text) -> None:
    items = [
        Finding(
            path=text,
            line=1,
            symbol=text,
            message=text,
            hint=text,
            severity="error",
            rule="rule",
            also_touch=(text,),
            verify=text,
            new=new,
            edit=Edit(PATCH.replace("import pytest", text), True),
            suppressed=suppressed,
        )
        for new, suppressed in [(True, "")] * 12 + [(False, ""), (True, text)]
    ]
    out = render(
        name, report(items, notes=[text], fixed=[text], base=Base("1" * 40, text)), Style(True, True, False, text)
    )
    out = out.encode("utf-8", "backslashreplace").decode()
    found = commands(out)
    assert len(found) == (11 if name == "github" else 0)
    if name == "github":
        assert {properties["file"] for _, properties, _ in found[:10]} == {
            text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        }


@pytest.mark.parametrize("name", ["text", "github", "markdown"])
def test_nothing_moves_the_cursor(name) -> None:
    text = "a\x1b[2J\x07\x9b31m\u202e\r\x00b"
    item = finding(
        1,
        path=text,
        symbol=text,
        message=text,
        hint=text,
        verify=text,
        also_touch=(text,),
        edit=Edit(PATCH.replace("import", text), True),
    )
    out = render(
        name,
        report([item, item._replace(suppressed=text)] * 12, notes=[text], fixed=[text]),
        Style(True, True, False, text),
    )
    properties = ",".join(re.findall(r"file=[^,]*", out))
    assert set(out) - set(properties) <= {"\n"} | {character for character in out if character.isprintable()}


def test_json_escapes_and_keeps_every_value() -> None:
    items = [finding(1, path=text, symbol=text, message=text) for text in FORGED]
    out = render("json", report(items), Style())
    assert out.isascii()
    assert [item["symbol"] for item in json.loads(out)["findings"]] == FORGED


def test_json_is_the_contract_s() -> None:
    item = finding(1, column=5, edit=Edit(PATCH, True), also_touch=("a.py",), verify="pytest")
    folder = finding(2, "warning", new=False, line=None, path="sota-implementations/x")
    whole = json.loads(render("json", report([item, folder], notes=["a note"]), Style()))
    assert {key: whole[key] for key in ("schema", "base", "labels", "notes", "stats")} == {
        "schema": 1,
        "base": {"commit": "1" * 40, "chosen_by": "--base main"},
        "labels": [],
        "notes": ["a note"],
        "stats": {"files": 9, "judged": 3},
    }
    assert whole["findings"] == [
        {
            "rule": "rule-1",
            "severity": "error",
            "path": "test/test_1.py",
            "line": 2,
            "column": 5,
            "end_line": 2,
            "symbol": "test_1",
            "message": "message 1",
            "hint": "hint 1",
            "new": True,
            "edit": {"patch": PATCH, "safe": True},
            "also_touch": ["a.py"],
            "verify": "pytest",
        },
        {
            "rule": "rule-2",
            "severity": "warning",
            "path": "sota-implementations/x",
            "line": None,
            "column": 1,
            "end_line": None,
            "symbol": "test_2",
            "message": "message 2",
            "hint": "hint 2",
            "new": False,
            "edit": None,
            "also_touch": [],
            "verify": "",
        },
    ]


def test_text_of_one_finding() -> None:
    item = finding(1, edit=Edit(PATCH, True), also_touch=("docs/a.rst", "b.py"), verify="python -m pytest")
    again = "torchrl-lint --base main"
    assert render("text", report([item], notes=["a note"]), Style(again=again)) == (
        "test/test_1.py:2: error: rule-1: test_1\n"
        "  message 1\n"
        "  What to do: hint 1\n"
        "\n" + "".join(f"    {line}\n" for line in PATCH.splitlines()) + "\n"
        "  Change with it: docs/a.rst, b.py\n"
        "  Verify: python -m pytest\n"
        "\n"
        "note: a note\n"
        "compared with 111111111111 (--base main)\n"
        "1 new error in 3 files judged\n"
        "apply the edits: torchrl-lint --fix\n"
        "run again: torchrl-lint --base main\n"
    )


def test_text_shows_one_edit_once() -> None:
    twins = [finding(1, edit=Edit(PATCH, True)), finding(2, edit=Edit(PATCH, True))]
    out = render("text", report(twins), Style())
    assert out.count("+@pytest.mark.gpu") == 1
    assert out.count("  The edit is the one of test_1, above.\n") == 1


def test_text_counts_advisories_unless_asked() -> None:
    items = [finding(1, "advisory"), finding(4, "advisory"), finding(2, "advisory")]
    out = render("text", report(items), Style())
    assert out == (
        "advice: rule-1 2, rule-2 1; --advice shows it\n"
        "compared with 111111111111 (--base main)\nno errors, no warnings in 3 files judged\nrun again: torchrl-lint\n"
    )
    assert len(in_text(render("text", report(items), Style(advice=True)))) == 3


def test_text_of_nothing() -> None:
    assert (
        render("text", report([], base=Base(None, "none"), stats={"judged": 1}), Style())
        == "no findings in 1 file judged\n"
    )


def test_text_keeps_tabs_and_drops_the_carriage_returns_of_a_patch() -> None:
    out = render(
        "text", report([finding(1, edit=Edit(PATCH.replace("\n", "\r\n").replace(" def", "\tdef"), True))]), Style()
    )
    assert "\n    \tdef test_a():\n" in out
    assert "\\r" not in out


def test_text_in_colour() -> None:
    out = render("text", report([finding(1, edit=Edit(PATCH, True))]), Style(color=True))
    assert "\033[1mtest/test_1.py:2\033[0m: \033[31merror\033[0m: rule-1: test_1\n" in out
    assert "    \033[32m+@pytest.mark.gpu\033[0m\n" in out
    assert "\033" not in render("text", report([finding(1, edit=Edit(PATCH, True))]), Style())


@pytest.mark.parametrize(
    ("items", "fixed", "status"),
    [
        ([], [], 0),
        ([finding(1)], [], 1),
        ([finding(1, new=False)], [], 0),
        ([finding(1, "warning"), finding(2, "advisory")], [], 0),
        ([finding(1, suppressed="waiver")], [], 0),
        ([], ["a.py"], 1),
    ],
    ids=["nothing", "error", "old", "lesser", "suppressed", "fixed"],
)
def test_what_fails_a_run(items, fixed, status) -> None:
    assert report(items, fixed=fixed).exit_status == status


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain caf\u00e9 \U0001f40d", "plain caf\u00e9 \U0001f40d"),
        ("a\tb", "a\tb"),
        ("a\nb", "a\\nb"),
        ("a\x1b[0m", "a\\x1b[0m"),
        ("\udce9", "\\udce9"),
        ("\u202e", "\\u202e"),
        ("::x", "\\x3a:x"),
        (" ::x", " \\x3a:x"),
        ("a::x", "a::x"),
        ("a##[x]", "a\\x23#[x]"),
        ("##", "##"),
    ],
)
def test_printable(text, shown) -> None:
    assert printable(text) == shown


def test_github_shows_what_is_on_changed_lines_first(repo, tests, lint) -> None:
    # The skip that a helper decides changes for twelve tests; two of them are on lines of the change, too.
    body = "from helpers import cuda\n" + tests()
    skipped = '\n\n@pytest.mark.skipif(not cuda(), reason="x")\ndef {}():\n    assert {}\n'
    old = body + "".join(skipped.format(f"test_{number}", 1) for number in range(12))
    repo.commit("old", {"test/test_old.py": old, "test/helpers.py": "def cuda():\n    return True\n"})
    new = old.replace("def test_10():", "def test_10(x=1):").replace("def test_11():", "def test_11(x=1):")
    repo.write("test/test_old.py", new)
    repo.write("test/helpers.py", "import torch\n\n\ndef cuda():\n    return torch.cuda.is_available()\n")
    out = lint(repo, "--format", "github", "--base", "HEAD", "--select", "gpu-marker-missing").out
    shown = [properties["title"].partition(": ")[2] for name, properties, _ in commands(out) if name == "error"]
    assert shown == ["test_10", "test_11", *(f"test_{number}" for number in range(8))]
    assert commands(out)[-1][2] == "2 more findings are listed in the log of this step"
    assert re.findall(r"^  \S+: error: gpu-marker-missing: (test_\d+)", out, re.MULTILINE) == ["test_8", "test_9"]
