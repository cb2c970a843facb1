"""Edits on the concrete tree: only the place that has the fault changes, whatever the file looks like."""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import tokenize
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from torchrl_preflight.hooks.change import Change
from torchrl_preflight.hooks.concrete import Editable, write
from torchrl_preflight.hooks.facts.source import decode
from torchrl_preflight.hooks.facts.store import Store
from torchrl_preflight.hooks.profile import choose
from torchrl_preflight.hooks.project import Project
from torchrl_preflight.hooks.rules import gpu_marker_missing as rule
from torchrl_preflight.hooks.run import Options, Repaired, _apply
from torchrl_preflight.hooks.tree import plain_folder

PATH = "test/test_a.py"
HEAD = "import pytest\nimport torch\n"
SKIP = '@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")\n'
GPU = "@pytest.mark.gpu\n"


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """``judged(data)``: findings of the rule in a test file with these bytes, without git."""
    root = tmp_path_factory.mktemp("edits")
    shutil.copytree(Path(__file__).parent / "rules" / "_base", root, dirs_exist_ok=True)
    store = Store(None)

    def run(data: bytes):
        (root / PATH).write_bytes(data)
        tree = plain_folder(root)
        return list(rule.check(Change(Project(tree, choose(tree, frozenset()), store), None, everything=True)))

    return run


def repaired(data: bytes, findings):
    return Editable(PATH, data).repaired([(rule.repair, finding) for finding in findings])


# Pieces of a test file with a fault, as people write them; {i} is the indentation, {n} a number.
_FAULTS = st.sampled_from(
    [
        SKIP + "def test_{n}():\n    assert True\n",
        "# why {n}\n" + SKIP + "def test_{n}(): pass  # \u00e9\n",
        "@pytest.mark.slow  # first\n\n"
        + SKIP
        + "# between\ndef test_{n}(\n    a=1,  # one\n):\n    '''doc\n\n    more'''\n",
        "@pytest.mark.skipif(\n    not torch.cuda.is_available(),\n    reason='x',  # trailing\n)\nasync def test_{n}():\n\tassert True\n",
        "def test_{n}():\n    if not torch.cuda.is_available():\n        pytest.skip('no')\n    assert   True;\n",
        "@pytest.mark.parametrize('d', ['cpu', pytest.param('cuda',\n    marks=pytest.mark.skipif(not torch.cuda.is_available(), reason='x'))])  # c\n"
        "def test_{n}(d): pass\n",
        "@pytest.mark.parametrize('d', [\n    pytest.param('cuda', marks=[\n        pytest.mark.skipif(not torch.cuda.is_available(), reason='x'),\n    ]),\n    'cpu',\n])\n"
        "def test_{n}(d):\n    pass\n",
    ]
)
_OTHERS = st.sampled_from(
    [
        "",
        "\n",
        "# a comment\n",
        "#!odd\n\n\n",
        "x_{n} = ( 1,2 ,\\\n   3)\n",
        "\f\n",
        "if True:\n    y_{n} = '''a\n b'''   \n",
        "def helper_{n}( ): return  1\n",
        "class Other{n}:\n\n    z = 1\n",
    ]
)


def _in_class(text: str, number: int) -> str:
    return f"class TestAll{number}:\n" + "".join(
        f"    {line}" if line.strip() else line for line in text.splitlines(keepends=True)
    )


@st.composite
def files(draw) -> bytes:
    """A test file with one to three faults, in one of the forms that a file has on disk."""
    text = HEAD
    for number in range(draw(st.integers(1, 3))):
        text += draw(_OTHERS).format(n=number)
        fault = draw(_FAULTS).replace("{n}", str(number))
        text += _in_class(fault, number) if draw(st.booleans()) and "'''" not in fault and "\t" not in fault else fault
    text += draw(_OTHERS).format(n=9)
    if draw(st.booleans()):
        text = text.rstrip("\n")
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    newline = "\r\n" if "\r\n" in text else "\n"
    form = draw(st.sampled_from(["utf-8", "bom", "latin-1", "cookie"]))
    if form == "latin-1":
        return f"# -*- coding: latin-1 -*-  \u00fc{newline}{text}".encode("latin-1")
    if form == "cookie":
        return f"#!/usr/bin/env python{newline}# coding: utf-8{newline}{text}".encode()
    return (b"\xef\xbb\xbf" if form == "bom" else b"") + text.encode()


def comments(data: bytes) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(decode(data)).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def without_marks(data: bytes) -> str:
    """A file without what an edit may add, and without the difference between a mark and a list of one."""
    text = (
        data.decode("latin-1").replace("\r\n", "\n").replace("pytest.mark.gpu,", "").replace("@pytest.mark.gpu\n", "")
    )
    return "".join(text.split()).replace("[", "").replace("]", "")


@settings(max_examples=60, deadline=None)
@given(data=files())
def test_an_edit_changes_its_place_and_nothing_else(judged, data) -> None:
    found = judged(data)
    assert found
    after = repaired(data, found)

    assert judged(after) == []
    assert repaired(after, found) is None
    assert comments(after) == comments(data)
    assert without_marks(after) == without_marks(data)
    assert after.startswith(b"\xef\xbb\xbf") == data.startswith(b"\xef\xbb\xbf")
    assert after.count(b"\r\n") == (after.count(b"\n") if b"\r\n" in data else 0)
    assert after.endswith(b"\n") == data.endswith(b"\n")
    lines, changed = data.splitlines(), after.splitlines()
    for kind, _, _, start, end in SequenceMatcher(None, lines, changed, autojunk=False).get_opcodes():
        assert kind == "equal" or all(b"pytest.mark.gpu" in line for line in changed[start:end]), kind


@settings(max_examples=12, deadline=None)
@given(data=files())
def test_git_applies_the_patch(judged, tmp_path_factory, data) -> None:
    found = judged(data)
    after = repaired(data, found)
    folder = tmp_path_factory.mktemp("apply")
    (folder / "test").mkdir()
    (folder / PATH).write_bytes(data)
    patch = Editable(PATH, data).patch(after).encode("utf-8", "surrogateescape")
    subprocess.run(["git", "apply", "-"], cwd=folder, input=patch, check=True)
    assert (folder / PATH).read_bytes() == after


def test_diff_is_one_patch_for_git_whatever_the_names(repo, tests, command) -> None:
    names = [
        "a.py",
        "a b.py",
        'quo"te.py',
        "back\\slash.py",
        "new\nline.py",
        "tab\t.py",
        "caf\u00e9.py",
        os.fsdecode(b"caf\xe9.py"),
        "esc\x1b[31m.py",
        " 2026-01-01 00:00:00 x.py",
    ]
    for name in names:
        repo.write(f"test/test_{name}", tests("test_a"))
    diff = command(repo, "--base", "HEAD", "--select", "gpu-marker-missing", "--diff")
    (repo.path / "all.patch").write_bytes(os.fsencode(diff.out))
    repo.git("apply", "all.patch")
    edited = tests("test_a").replace(SKIP, GPU + SKIP)
    assert {(repo.path / f"test/test_{name}").read_text() for name in names} == {edited}


def test_diff_is_one_patch_for_neighbouring_edits(repo, lint) -> None:
    text = HEAD + SKIP + "def test_a(): pass\n" + SKIP + "def test_b(): pass\n" + SKIP + "def test_c(): pass\n"
    repo.write("test/test_a.py", text)
    diff = lint(repo, "--base", "HEAD", "--select", "gpu-marker-missing", "--diff")
    (repo.path / "all.patch").write_text(diff.out)
    repo.git("apply", "all.patch")
    assert (repo.path / "test/test_a.py").read_text() == text.replace(SKIP, GPU + SKIP)


def test_diff_leaves_the_files_alone(repo, lint, tests) -> None:
    file = repo.write("test/test_a.py", tests("test_a"))
    outcome = lint(repo, "--base", "HEAD", "--diff", "--select", "gpu-marker-missing")
    assert outcome.out.count("+@pytest.mark.gpu\n") == 1
    assert file.read_text() == tests("test_a")


def test_fix_then_silent_then_nothing(repo, judge, tests) -> None:
    file = repo.write("test/test_a.py", tests("test_a", "test_b"))
    first = judge(repo, "--base", "HEAD", "--fix")
    assert (first.status, first.report["fixed"], first.found) == (1, ["test/test_a.py"], [])
    assert file.read_text() == tests("test_a", "test_b").replace(SKIP, GPU + SKIP)
    second = judge(repo, "--base", "HEAD", "--fix")
    assert (second.status, second.report["fixed"], second.found) == (0, [], [])


def test_two_findings_with_one_edit(repo, judge) -> None:
    """Both tests ask for the mark on their class; it is set once."""
    text = (
        HEAD
        + "\n\n"
        + SKIP
        + "class TestA:\n    def test_a(self):\n        pass\n\n    def test_b(self):\n        pass\n"
    )
    file = repo.write("test/test_a.py", text)
    before = judge(repo, "--base", "HEAD")
    assert before.symbols == ["TestA::test_a", "TestA::test_b"]
    assert len({item["edit"]["patch"] for item in before.report["findings"]}) == 1
    assert judge(repo, "--base", "HEAD", "--fix").found == []
    assert file.read_text() == text.replace(SKIP, GPU + SKIP)


def test_fix_only_what_is_new_and_asked_for(repo, judge, tests) -> None:
    repo.commit("old", {"test/test_old.py": tests("test_old")})
    repo.write("test/test_a.py", tests("test_a"))
    repo.write("test/test_b.py", tests("test_b"))
    assert judge(repo, "--base", "HEAD", "--fix", "test/test_b.py").report["fixed"] == ["test/test_b.py"]
    assert judge(repo, "--base", "HEAD", "--fix").report["fixed"] == ["test/test_a.py"]
    assert judge(repo, "--base", "HEAD", "--fix", "--all").report["fixed"] == ["test/test_old.py"]


def test_old_findings_carry_their_edit_on_request_only(repo, judge, tests) -> None:
    repo.commit("old", {"test/test_old.py": tests("test_old")})
    repo.write("test/test_new.py", tests("test_new"))
    edits = {item["symbol"]: item["edit"] for item in judge(repo, "--base", "HEAD", "--all").report["findings"]}
    assert edits["test_old"] is None
    assert edits["test_new"]["safe"] is True


def test_what_is_suppressed_is_not_edited(repo, judge, tests) -> None:
    text = tests("test_a").replace("def test_a():", "def test_a():  # preflight: ignore[gpu-marker-missing] own job")
    file = repo.write("test/test_a.py", text)
    outcome = judge(repo, "--base", "HEAD", "--fix")
    assert (outcome.status, outcome.report["fixed"], file.read_text()) == (0, [], text)


def test_files_that_git_checks_out_with_other_line_ends(repo, judge, tests) -> None:
    repo.commit("old", {"test/test_a.py": tests("test_a")})
    repo.git("config", "core.autocrlf", "true")
    repo.git("rm", "--quiet", "--cached", "-r", ".")
    repo.git("reset", "--quiet", "--hard")
    outcome = judge(repo, "--base", "HEAD", "--all", "--fix")
    assert (outcome.status, outcome.found, outcome.report["fixed"]) == (1, [], ["test/test_a.py"])
    expected = tests("test_a").replace(SKIP, GPU + SKIP).replace("\n", "\r\n")
    assert (repo.path / "test/test_a.py").read_bytes() == expected.encode()


def test_the_hook_edits_the_file_and_leaves_the_index_to_the_user(repo, judge, tests) -> None:
    file = repo.write("test/test_a.py", tests("test_a"))
    repo.git("add", "--all")
    outcome = judge(repo, "--staged", "--fix")
    assert (outcome.status, outcome.report["fixed"]) == (1, ["test/test_a.py"])
    assert file.read_text() == tests("test_a").replace(SKIP, GPU + SKIP)
    assert repo.git("show", ":test/test_a.py") + "\n" == tests("test_a")
    repo.git("add", "--all")
    assert judge(repo, "--staged", "--fix").status == 0


def test_the_hook_leaves_a_file_with_unstaged_changes_alone(repo, judge, tests) -> None:
    repo.write("test/test_a.py", tests("test_a"))
    repo.git("add", "--all")
    file = repo.write("test/test_a.py", tests("test_a") + "# on top\n")
    outcome = judge(repo, "--staged", "--fix")
    assert (outcome.status, outcome.report["fixed"], outcome.symbols) == (1, [], ["test_a"])
    assert outcome.report["notes"] == ["test/test_a.py has unstaged changes, so it was not edited"]
    assert file.read_text() == tests("test_a") + "# on top\n"


def test_a_file_that_changed_meanwhile_or_went_is_left_alone(repo) -> None:
    notes: list[str] = []
    changed = Repaired("version.txt", b"what was judged\n", b"after\n", "")
    gone = Repaired("gone.txt", b"before\n", b"after\n", "")
    options = Options(repo=str(repo.path), fix=True)
    assert _apply(options, [changed, gone], notes) == []
    assert notes == [
        "version.txt changed meanwhile, so it was not edited",
        "gone.txt could not be edited: No such file or directory",
    ]
    assert (repo.path / "version.txt").read_text() == "0.14.0\n"


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600])
def test_writing_keeps_the_mode_and_leaves_nothing_else(tmp_path, mode) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "a.py"
    file.write_text("before")
    file.chmod(mode)
    write(file, b"after")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("after", mode)
    assert os.listdir(folder) == ["a.py"]


def test_writing_is_at_once(tmp_path) -> None:
    """Whoever has the file open keeps what it read: the new content is another file."""
    file = tmp_path / "a.py"
    file.write_text("before")
    with file.open() as reader:
        write(file, b"after")
        assert reader.read() == "before"


def test_writing_that_fails_leaves_everything_as_it_was(repo) -> None:
    with pytest.raises(OSError):
        write(repo.path / "test", b"after")
    assert repo.git("status", "--porcelain") == ""


def test_a_file_that_libcst_cannot_read_has_no_edit() -> None:
    assert Editable(PATH, b"x = (\n").repaired([(lambda module, finding: None, None)]) is None
