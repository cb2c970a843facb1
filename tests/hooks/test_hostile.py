"""Files that break tools: one line about each, the right exit status, and the rest is judged all the same."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from torchrl_preflight.hooks.facts.python import module

SYNTAX = {
    "unclosed": b"x = (\n",
    "null_bytes": b"x = 1\n\0\n",
    "latin_1_without_cookie": b"x = 1\ny = '\xe9'\n",
    "unknown_encoding": b"# coding: no-such-thing\nx = 1\n",
    "a_codec_that_is_no_encoding": b"# coding: hex\nx = 1\n",
    "a_codec_that_always_fails": b"# coding: undefined\nx = 1\n",
    "utf_16": "x = 1\n".encode("utf-16"),
    "brackets": b"x = " + b"(" * 10_000 + b")" * 10_000 + b"\n",
    "lists": b"x = " + b"[" * 10_000,
    "indentation": b"".join(b" " * depth + b"if x:\n" for depth in range(150)),
    "conflict_markers": b"<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> theirs\n",
    "python_2": b"print 'x'\n",
    "binary": bytes(range(256)) * 40,
}
LIMIT = {
    "negations": b"x = " + b"not " * 60_000 + b"y\n",
    "elif": b"if x:\n    pass\n" + b"elif x:\n    pass\n" * 20_000,
    "megabytes": b"x = 1\n" * 900_000,
}
# Some versions of Python read these, others do not.
DEEP = {
    "attributes": b"x = a" + b".b" * 60_000 + b"\n",
    "sums": b"x = 1" + b" + 1" * 60_000 + b"\n",
    "calls": b"x = f" + b"()" * 60_000 + b"\n",
}
FINE = {
    "latin_1_with_cookie": b"# coding: latin-1\nx = '\xe9'\n",
    "cookie_with_umlaut_in_its_line": b"# coding: latin-1 \xfc\nx = 1\n",
    "byte_order_mark": b"\xef\xbb\xbfx = 1\n",
    "carriage_returns": b"x = 1\ry = 2\r",
    "form_feeds": b"x = 1\n\x0c\ny = 2\n",
    "a_long_line": b"x = '" + b"a" * 1_000_000 + b"'\n",
    "empty": b"",
    "only_a_comment": b"# nothing",
    "a_cookie_below_code_is_none": b"x = 1\n# coding: hex\n",
    "invalid_escapes": b"x = '\\d'\ny = 1if 1else 2\n",
    "many_targets": b"a = " * 50 + b"1\n",
}


@pytest.mark.parametrize("name", SYNTAX)
def test_a_file_that_does_not_parse_is_one_finding(repo, tests, judge, name) -> None:
    repo.write(f"torchrl/{name}.py", SYNTAX[name])
    repo.write("test/test_a.py", tests("test_a"))
    outcome = judge(repo, "--base", "HEAD")
    assert [(path, rule) for path, _, rule in outcome.found] == [
        ("test/test_a.py", "gpu-marker-missing"),
        (f"torchrl/{name}.py", "syntax-error"),
    ]
    finding = outcome.report["findings"][1]
    assert 1 <= finding["line"] <= SYNTAX[name].count(b"\n") + 1
    assert finding["column"] >= 1
    assert "\n" not in finding["message"]
    assert (outcome.status, outcome.err) == (1, "")


@pytest.mark.parametrize("name", LIMIT)
def test_a_file_beyond_the_limits_is_a_note(repo, tests, judge, name) -> None:
    repo.write(f"torchrl/{name}.py", LIMIT[name])
    repo.write("test/test_a.py", tests("test_a"))
    outcome = judge(repo, "--base", "HEAD")
    why = "larger than 2 MB" if name == "megabytes" else "nested too deeply"
    assert outcome.report["notes"] == [f"torchrl/{name}.py was not judged: {why}"]
    assert outcome.found == [("test/test_a.py", 8, "gpu-marker-missing")]
    assert (outcome.status, outcome.err) == (1, "")


@pytest.mark.parametrize("name", DEEP)
def test_a_deep_expression_is_a_note_at_most(repo, tests, judge, name) -> None:
    repo.write(f"torchrl/{name}.py", DEEP[name])
    repo.write("test/test_a.py", tests("test_a"))
    outcome = judge(repo, "--base", "HEAD")
    assert outcome.report["notes"] in ([], [f"torchrl/{name}.py was not judged: nested too deeply"])
    assert outcome.found == [("test/test_a.py", 8, "gpu-marker-missing")]
    assert (outcome.status, outcome.err) == (1, "")


@pytest.mark.parametrize("name", FINE)
def test_a_file_that_is_only_odd_is_judged(repo, judge, name) -> None:
    repo.write(f"torchrl/{name}.py", FINE[name])
    outcome = judge(repo, "--base", "HEAD")
    assert (outcome.status, outcome.err, outcome.found, outcome.report["notes"]) == (0, "", [], [])


PIECES = st.sampled_from(
    [
        "x = 1",
        "\n",
        "\r",
        "\r\n",
        "\x0c",
        "\\\n",
        "\\\r\n",
        "# preflight: ignore[a] b",
        "'''",
        '"',
        "(",
        ")",
        "    ",
        "\t",
        "if x:",
        "def f():",
        "pass",
        "\u2028",
        "\x85",
        "\u00e9",
        "\ufeff",
        "\x1a",
        "\x00",
        "f'{x!r:{y}}'",
        ";",
        "@",
        "lambda: 0",
        "# coding: latin-1",
        "class A:",
        "\\",
    ]
)


@settings(max_examples=300, deadline=None)
@given(pieces=st.lists(PIECES, max_size=14).map("".join).map(str.encode) | st.binary(max_size=60))
def test_any_bytes_have_facts_or_a_failure(pieces) -> None:
    facts = module(b"x = 1  # preflight: ignore[a] b\n" + pieces)
    if facts.failure is None:
        assert facts.suppressions[0] == (("a",), "b", 1, False)
    else:
        assert facts.failure.kind in ("syntax", "limit")
        assert facts.suppressions == ()


def test_all_of_them_at_once_in_several_processes(repo, tests, judge) -> None:
    for name, data in {**SYNTAX, **LIMIT, **DEEP, **FINE}.items():
        repo.write(f"torchrl/{name}.py", data)
    for number in range(64):
        repo.write(f"test/test_{number}.py", tests(f"test_{number}"))
    outcome = judge(repo, "--all", "--jobs", "2")
    assert outcome.err == ""
    rules = [rule for _, _, rule in outcome.found]
    assert (rules.count("syntax-error"), rules.count("gpu-marker-missing")) == (len(SYNTAX), 64)
    notes = {note.split()[0] for note in outcome.report["notes"] if "was not judged" in note}
    assert {f"torchrl/{name}.py" for name in LIMIT} <= notes <= {f"torchrl/{name}.py" for name in (*LIMIT, *DEEP)}


CONDITIONS = {
    "attributes": lambda levels: "torch.cuda" + ".x" * levels,
    "negations": lambda levels: "not " * 80 + "torch.cuda.is_available()",
    "sums": lambda levels: "1" + " + 1" * levels,
    "choices": lambda levels: "a or " * levels + "not torch.cuda.is_available()",
    "pieces": lambda levels: "x" + "[0]" * levels,
    "a_string": lambda levels: repr("not (" * 90 + "1" + ")" * 90),
    "a_string_that_does_not_parse": lambda levels: repr("not (" * 5000),
    "itself": lambda levels: "flag",
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_that_is_hard_to_follow_ends_no_run(repo, tests, judge, name) -> None:
    head = "import pytest\nimport torch\n\nflag = flag if flag else flag\n\n\n"
    repo.write(
        "test/test_hard.py",
        f"{head}@pytest.mark.skipif({CONDITIONS[name](800)}, reason='x')\ndef test_hard():\n    pass\n",
    )
    repo.write("test/test_a.py", tests("test_a"))
    outcome = judge(repo, "--base", "HEAD")
    assert ("test/test_a.py", 8, "gpu-marker-missing") in outcome.found
    assert (outcome.status, outcome.err) == (1, "")


PLACES = """import torch
import warnings

value = {0}
listed: {0} = [{0}, ({0},)]


@decorated({0})
class Thing(Base[{0}], metaclass={0}):
    field: int = {0}

    @torch.no_grad({0})
    def method(self, argument: {0} = {0}, *, other={0}) -> {0}:
        warnings.warn({0}, DeprecationWarning, stacklevel={0})
        self.device = {0}
        print({0})
        if {0}:
            import numpy
        for one in {0}:
            assert {0}
        return {0}
"""


@pytest.mark.parametrize("name", CONDITIONS)
def test_all_rules_on_what_is_hard_to_follow(repo, lint, name) -> None:
    repo.write("torchrl/envs/hard.py", PLACES.format(CONDITIONS[name](250)))  # LibCST takes quadratic time for these
    for how in (("--all",), ("--base", "HEAD")):
        outcome = lint(repo, *how)
        assert (outcome.status in (0, 1), outcome.err) == (True, "")


@pytest.mark.parametrize("version", ["9" * 5000, "0." + "9" * 5000, "0.14." + "9" * 5000])
def test_a_number_of_thousands_of_digits_ends_no_run(repo, lint, version) -> None:
    repo.write("version.txt", f"{version}\n")
    repo.write(
        "pyproject.toml",
        f"[project]\nname = 'torchrl'\nrequires-python = '>=3.{'9' * 5000}'\n"
        f"dependencies = ['torch>={version}', 'tensordict>=0.14,<{version}']\n",
    )
    repo.write(
        "torchrl/envs/old.py",
        f"import warnings\nimport tomllib\nimport torch\n\nif torch.__version__ >= '{version}':\n    pass\n\n\n"
        f"def old():\n    warnings.warn('old will be removed in v{version}.', DeprecationWarning)\n",
    )
    repo.git("tag", "v0." + "9" * 200 + ".0")
    for how in (("--all",), ("--base", "HEAD"), ("deprecations",), ("pins",)):
        outcome = lint(repo, *how)
        assert (outcome.status in (0, 1), outcome.err) == (True, "")


def test_a_version_file_that_holds_none_says_nothing_of_ranges(repo, lint) -> None:
    repo.write("pyproject.toml", "[project]\nname = 'torchrl'\ndependencies = ['tensordict>=0.14,<0.15']\n")
    repo.write("version.txt", "not a version\n")
    outcome = lint(repo, "--base", "HEAD", "--select", "version-coherence")
    assert "leaves out" not in outcome.out


def test_modules_that_import_each_other(repo, tests, judge) -> None:
    repo.write("test/one.py", "from two import flag\n")
    repo.write("test/two.py", "from one import flag\nfrom two import flag as other\n")
    repo.write(
        "test/test_b.py",
        "import pytest\nfrom one import flag\n\n\n@pytest.mark.skipif(not flag, reason='x')\ndef test_b():\n    pass\n",
    )
    repo.write("test/test_a.py", tests("test_a"))
    assert judge(repo, "--base", "HEAD").found == [("test/test_a.py", 8, "gpu-marker-missing")]


def test_classes_that_inherit_from_each_other(repo, judge) -> None:
    repo.write(
        "test/test_a.py",
        "class TestA(TestB):\n    def test_a(self): pass\n\n\nclass TestB(TestA):\n    def test_b(self): pass\n",
    )
    outcome = judge(repo, "--base", "HEAD")
    assert (outcome.status, outcome.err) == (0, "")


WORKFLOWS = {
    "not_yaml": b"jobs: [\n",
    "not_a_mapping": b"- a\n- b\n",
    "empty": b"",
    "binary": bytes(range(256)) * 10,
    "brackets": b"jobs: " + b"[" * 10_000 + b"]" * 10_000,
    "aliases": b"a: &a [x, x]\n"
    + b"".join(b"%c: &%c [*%c, *%c, *%c]\n" % (c, c, c - 1, c - 1, c - 1) for c in range(98, 122)),
    "itself": b"jobs: &a\n  x: *a\n",
    "odd_types": b"on: 1\njobs:\n  1:\n    steps: {a: 1}\n  two: [1]\n  three:\n    strategy: x\n    steps:\n      - 1\n      - run: [1]\n",
    "hard_script": b"on: pull_request\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: '"
    + b"$(" * 3000
    + b")" * 3000
    + b"'\n",
    "calls_itself": b"on: workflow_call\njobs:\n  a:\n    uses: ./.github/workflows/hostile.yml\n",
}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_hostile_workflow_ends_no_run(repo, tests, judge, name) -> None:
    repo.write(".github/workflows/hostile.yml", WORKFLOWS[name])
    repo.write("test/test_a.py", tests("test_a"))
    outcome = judge(repo, "--base", "HEAD")
    assert outcome.found == [("test/test_a.py", 8, "gpu-marker-missing")]
    assert (outcome.status, outcome.err) == (1, "")


def test_a_script_that_calls_itself(repo, tests, judge) -> None:
    script = repo.path / ".github/unittest/linux/scripts/run_all.sh"
    script.write_text(script.read_text() + "\nbash .github/unittest/linux/scripts/run_all.sh\n")
    repo.write("test/test_a.py", tests("test_a"))
    assert judge(repo, "--base", "HEAD").found == [("test/test_a.py", 8, "gpu-marker-missing")]


def test_names_and_links_of_every_kind(repo, tests, judge) -> None:
    names = [
        b"test_ space.py",
        b"test_'quo\"te.py",
        b"test_new\nline.py",
        b"test_caf\xe9.py",
        "test_\u202eyp.py".encode(),
        b"test_" + b"x" * 240 + b".py",
        b"test_\x1b[31m.py",
        b"test_%0A::error::.py",
        b"-test.py_test.py",
        b"test_back\\slash.py",
    ]
    for name in names:
        repo.write(b"test/" + name, tests("test_a"))
    (repo.path / "test/loop").symlink_to("..")
    (repo.path / "test/test_loop.py").symlink_to("test_loop.py")
    os.mkfifo(repo.path / "test/test_pipe.py")
    outcome = judge(repo, "--base", "HEAD")
    assert {path for path, _, _ in outcome.found} == {"test/" + os.fsdecode(name) for name in names}
    assert (outcome.status, outcome.err) == (1, "")


def test_a_deep_folder(repo, tests, judge) -> None:
    folder = "test/" + "/".join(["d" * 20] * 40)
    repo.write(f"{folder}/test_a.py", tests("test_a"))
    assert judge(repo, "--base", "HEAD").found == [(f"{folder}/test_a.py", 8, "gpu-marker-missing")]
