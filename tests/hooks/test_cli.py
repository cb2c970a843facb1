"""The command-line contract: arguments, exit statuses, and one line where something is wrong."""

from __future__ import annotations

import errno
import os
import pty
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from torchrl_preflight.hooks.command import guarded

LINT = Path(sys.executable).with_name("torchrl-lint")


@pytest.fixture
def faulty(repo, tests):
    """A repository with three new faults in the working tree."""
    for path in ("test/test_a.py", "test/envs/test_b.py", "test/envs/test_b_more.py"):
        repo.write(path, tests(Path(path).stem))
    return repo


def test_exit_status_0_and_1(repo, tests, judge) -> None:
    assert judge(repo, "--base", "HEAD").status == 0
    repo.write("test/test_a.py", tests("test_a"))
    assert judge(repo, "--base", "HEAD").status == 1
    repo.commit("now it is old")
    assert judge(repo, "--base", "HEAD").status == 0
    assert judge(repo, "--base", "HEAD", "--all").status == 0


USAGE = {
    ("--no-such-option",): "unrecognized arguments: --no-such-option (see torchrl-lint --help)",
    ("--jobs", "many"): "argument --jobs: invalid int value: 'many' (see torchrl-lint --help)",
    ("--ref",): "argument --ref: expected one argument (see torchrl-lint --help)",
    ("--format", "xml"): "argument --format: invalid choice: 'xml'",
    ("--select", "gpu-marker"): "unknown rule 'gpu-marker'; torchrl-lint rules lists them",
    ("--ignore", "gpu-marker"): "unknown rule 'gpu-marker'; torchrl-lint rules lists them",
    ("--select", "x\ny"): "unknown rule 'x\\ny'; torchrl-lint rules lists them",
    ("--staged", "--ref", "HEAD"): "--staged judges the index and --ref a commit; give one of them",
    ("--fix", "--ref", "HEAD"): "--fix edits files, so it cannot be used with --ref",
    ("--fix", "--diff"): "--fix applies the edits and --diff prints them; give one of them",
    ("--ref", "gone"): "gone: no such commit or tree here; fetch it (git fetch origin gone)",
    ("--base", "gone"): "--base gone: no such commit or tree here; fetch it (git fetch origin gone)",
    ("--base", "a\nb"): "--base a\\nb: no such commit or tree here; fetch it (git fetch origin a\\nb)",
    ("--base", ""): "--base is empty; name a commit, or leave it out to have one chosen",
    ("--repo", "gone"): "gone: no such folder",
    ("--paths-from", "gone"): "--paths-from gone: No such file or directory",
    ("--paths-from", "test/__init__.py"): "--paths-from test/__init__.py: no paths in it",
    ("/etc/passwd",): "/etc/passwd: outside the repository ",
    ("../other",): "../other: outside the repository ",
}


@pytest.mark.parametrize("arguments", USAGE, ids=" ".join)
def test_wrong_usage_is_one_line_and_status_2(repo, lint, arguments) -> None:
    repo.write("test/__init__.py", "")
    outcome = lint(repo, *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"torchrl-lint: {USAGE[arguments]}")
    assert outcome.err.count("\n") == 1


BROKEN = 'raise RuntimeError("broken\\ninstallation ##[error]")\n'


def test_an_internal_error_is_70_and_one_line(faulty, command, tmp_path) -> None:
    """Here LibCST, which edits need, is installed in a broken way."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/libcst.py").write_text(BROKEN)
    outcome = command(faulty, "--base", "HEAD", PYTHONPATH=str(tmp_path / "broken"))
    assert (outcome.status, outcome.out) == (70, "")
    assert outcome.err.startswith("torchrl-lint: internal error (RuntimeError: broken\\ninstallation \\x23#[error]); ")
    assert "please report it" in outcome.err
    assert outcome.err.count("\n") == 1


def test_an_internal_error_lets_a_commit_pass_with_a_note(faulty, command, tmp_path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/libcst.py").write_text(BROKEN)
    faulty.git("add", "--all")
    outcome = command(faulty, "--staged", PYTHONPATH=str(tmp_path / "broken"))
    assert (outcome.status, outcome.out) == (0, "")
    assert "internal error" in outcome.err
    assert "the commit was let pass unjudged" in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_traceback_on_request(faulty, command, tmp_path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/libcst.py").write_text(BROKEN)
    outcome = command(faulty, "--base", "HEAD", PYTHONPATH=str(tmp_path / "broken"), TORCHRL_PREFLIGHT_DEBUG="1")
    assert outcome.status == 1
    assert outcome.err.startswith("Traceback (most recent call last):\n")


def test_help_and_version(repo, lint, command) -> None:
    assert lint(repo, "--help").out.startswith("usage: torchrl-lint ")
    assert lint(repo, "--help").status == 0
    assert lint(repo, "jobs", "--help").out.startswith("usage: torchrl-lint jobs ")
    assert command(repo, "--version").out == f"torchrl-lint {version('torchrl-preflight')}\n"


def test_a_subcommand_wins_over_a_path(repo, tests, lint, judge) -> None:
    repo.write("rules/test_a.py", "x = (\n")
    assert lint(repo, "rules").out.splitlines()[0].split()[1] in ("error", "warning", "advisory")
    assert judge(repo, "--base", "HEAD", "./rules").found == [("rules/test_a.py", 1, "syntax-error")]


PATHS = {
    ("test/test_a.py",): ["test_a"],
    ("./test/../test/test_a.py",): ["test_a"],
    ("test/envs",): ["test_b", "test_b_more"],
    ("test/envs/",): ["test_b", "test_b_more"],
    ("test/envs/test_b.py",): ["test_b"],
    ("test/test_a.py", "test/envs/test_b.py"): ["test_a", "test_b"],
    (".",): ["test_a", "test_b", "test_b_more"],
    ("torchrl",): [],
}


@pytest.mark.parametrize("paths", PATHS, ids=" ".join)
def test_paths_keep_findings_of_files_and_folders(faulty, judge, paths) -> None:
    outcome = judge(faulty, "--base", "HEAD", *paths)
    assert sorted(outcome.symbols) == PATHS[paths]
    assert outcome.status == bool(PATHS[paths])
    assert outcome.report["notes"] == []


def test_paths_are_relative_to_where_one_is(faulty, judge) -> None:
    assert judge(faulty.path / "test/envs", "--base", "HEAD", "test_b.py").symbols == ["test_b"]
    assert judge(faulty.path / "test/envs", "--base", "HEAD", "../test_a.py").symbols == ["test_a"]
    assert judge(faulty.path.parent, "--repo", str(faulty.path), "--base", "HEAD", "test/test_a.py").symbols == [
        "test_a"
    ]
    assert judge(faulty, "--base", "HEAD", str(faulty.path / "test/test_a.py")).symbols == ["test_a"]


def test_paths_never_limit_what_is_read(repo, judge) -> None:
    """The test is skipped by what its helper says."""
    repo.write("test/helpers.py", "import torch\n\nno_gpu = not torch.cuda.is_available()\n")
    repo.write(
        "test/test_a.py",
        "import pytest\nfrom helpers import no_gpu\n\n\n@pytest.mark.skipif(no_gpu, reason='x')\ndef test_a():\n    pass\n",
    )
    assert judge(repo, "--base", "HEAD", "test/test_a.py").symbols == ["test_a"]
    assert judge(repo, "--base", "HEAD", "torchrl").symbols == []


def test_a_path_that_nothing_has_is_a_note(faulty, judge) -> None:
    (faulty.path / "version.txt").unlink()
    outcome = judge(faulty, "--base", "HEAD", "test/test_mispelt.py", "version.txt")
    assert outcome.report["notes"] == ["test/test_mispelt.py: no such file or folder"]


@pytest.mark.parametrize(
    "data",
    [
        b"test/test_a.py\ntest/envs/test_b.py\n",
        b"test/test_a.py\r\ntest/envs/test_b.py",
        b"test/test_a.py\0test/envs/test_b.py\0",
        b"\n\ntest/envs/test_b.py\n\ntest/test_a.py\n",
    ],
    ids=["lines", "crlf", "nul", "blank_lines"],
)
def test_paths_from_a_file(faulty, judge, command, data) -> None:
    (faulty.path / ".git/paths").write_bytes(data)
    assert sorted(judge(faulty, "--base", "HEAD", "--paths-from", ".git/paths").symbols) == ["test_a", "test_b"]


def test_paths_from_standard_input_with_names_of_every_kind(repo, tests, command) -> None:
    names = [b"test/test_new\nline.py", b"test/test_caf\xe9.py", b"test/-test.py_test.py", b"test/test_ space.py"]
    for name in names:
        repo.write(name, tests("test_a"))
    repo.write("test/test_other.py", tests("test_other"))
    how = ("--base", "HEAD", "--select", "gpu-marker-missing", "--format", "json", "--paths-from", "-")
    outcome = command(repo, *how, stdin=b"\0".join(names))
    assert {path for path, _, _ in outcome.found} == {os.fsdecode(name) for name in names}


def test_select_and_ignore(faulty, judge) -> None:
    faulty.write("torchrl/broken.py", "x = (\n")
    assert {rule for _, _, rule in judge(faulty, "--base", "HEAD").found} == {"gpu-marker-missing", "syntax-error"}
    assert {rule for _, _, rule in judge(faulty, "--base", "HEAD", "--select", "syntax-error").found} == {
        "syntax-error"
    }
    both = ("--select", "syntax-error, gpu-marker-missing", "--ignore", "syntax-error")
    assert {rule for _, _, rule in judge(faulty, "--base", "HEAD", *both).found} == {"gpu-marker-missing"}


def test_a_reader_that_has_seen_enough(faulty) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen([LINT, "--base", "HEAD"], cwd=faulty.path, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert process.communicate()[1] == b""
    assert process.returncode == 1


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)], ids=["terminal", "no_color"]
)
def test_colour_on_a_terminal_only(faulty, lint, environment, coloured) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [LINT, "--base", "HEAD", "test/test_a.py"], cwd=faulty.path, stdout=slave, env={**os.environ, **environment}
    )
    os.close(slave)
    out = b""
    try:
        while piece := os.read(master, 65536):
            out += piece
    except OSError:
        pass  # the other end is closed
    os.close(master)
    assert process.wait() == 1
    assert (b"\x1b[31merror\x1b[0m" in out) is coloured
    assert "\x1b" not in lint(faulty, "--base", "HEAD").out


def test_output_for_a_terminal_that_knows_ascii_only(faulty, command, tests) -> None:
    faulty.write("test/test_caf\u00e9.py", tests("test_caf\u00e9"))
    outcome = command(faulty, "--base", "HEAD", "test/test_caf\u00e9.py", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert outcome.status == 1
    assert "test/test_caf\\xe9.py:8: error: gpu-marker-missing: test_caf\\xe9\n" in outcome.out


def test_start_imports_nothing_heavy() -> None:
    heavy = "torch tensordict torchrl ghapi pytest yaml libcst docutils docstring_parser tree_sitter sqlite3 difflib concurrent.futures".split()
    code = f"import sys, torchrl_preflight.hooks.cli; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_a_target_branch_that_is_not_there(repo, lint) -> None:
    outcome = lint(repo, "--base", "HEAD", "--target-branch", "release/9.9")
    said = "--target-branch release/9.9: no such branch here; fetch it (git fetch origin release/9.9)"
    assert (outcome.status, outcome.out, outcome.err) == (2, "", f"torchrl-lint: {said}\n")


@pytest.mark.parametrize(("passing", "status"), [("", 2), ("the commit was let pass unjudged", 0)])
def test_a_full_disk_is_no_internal_error(capsys, passing, status) -> None:
    def write() -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    assert guarded("torchrl-lint", write, {}, passing) == status
    said = "torchrl-lint: No space left on device: make room and run it again"
    assert capsys.readouterr().err == f"{said}{f'; {passing}' if passing else ''}\n"
