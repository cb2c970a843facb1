"""What ``torchrl-lint`` costs on a clone of pytorch/rl, as ratios to its peers measured in the same run. Linux only."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from measure import Case, Failed, cpu, peak

_PROJECT = Path(__file__).resolve().parent.parent
_PEERS = {"ruff": "ruff==0.17.6", "flake8": "flake8==7.5.0", "fixit": "fixit==2.2.1"}
_FIXIT_RULE = "fixit.rules:NoStaticIfCondition"
"""One visitor and no metadata: none of Fixit's own rules costs less."""
_SIZE = 92_000
_MEBIBYTE = 1024 * 1024

_HARMLESS = '\n\ndef _added_by_the_benchmark(value):\n    """Adds one."""\n    return value + 1\n'
_FAULTY = (
    '\n\n@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")\n'
    'def test_added_by_the_benchmark():\n    assert torch.zeros(1, device="cuda").is_cuda\n'
)


class Row(NamedTuple):
    """A line of the table: what is ours costs less than ``bound`` times what is theirs."""

    what: str
    ours: str
    theirs: str
    called: str
    bound: float


def main(argv: Sequence[str] | None = None) -> int:
    """Measures and prints the table.

    Returns:
        0, or 2 when something could not be set up or measured; a bound that does not hold is in the table only.
    """
    arguments = _parser().parse_args(argv)
    say = partial(print, file=sys.stderr) if sys.stderr.isatty() else lambda text: None
    if not sys.platform.startswith("linux"):
        print("lint: processes are measured through /proc, so this needs Linux", file=sys.stderr)
        return 2
    try:
        with tempfile.TemporaryDirectory(prefix="lint-benchmark-") as scratch:
            print(_measure(arguments, Path(scratch), say))
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or error.stdout or "").strip().splitlines() or ["no message"]
        print(f"lint: {' '.join(map(str, error.cmd))}: {lines[-1]}", file=sys.stderr)
        return 2
    except (Failed, OSError) as error:
        print(f"lint: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lint", description=__doc__)
    parser.add_argument("clone", type=Path, metavar="CLONE", help="clone of pytorch/rl; it is only read")
    add = parser.add_argument
    add("--file", nargs="+", default=[], metavar="PATH", help="test files to change (default: one of about 92 kB)")
    add("--runs", type=int, default=5, metavar="N", help="runs of each command; the least counts (default: 5)")
    add("--venvs", type=Path, metavar="DIR", help="keep the tools' environments here (default: a temporary folder)")
    add("--verbose", action="store_true", help="print the CPU seconds of every command, too")
    return parser


def _measure(arguments: argparse.Namespace, scratch: Path, say: Callable[[str], None]) -> str:
    venvs = arguments.venvs.resolve() if arguments.venvs else scratch / "venvs"
    tools = {name: _installed(venvs / name, requirement, say) / name for name, requirement in _PEERS.items()}
    # Ourselves as users have it: not the checkout, whose import hook costs as much as starting Python.
    ours = _installed(venvs / "ours", str(_sources(scratch / "project")), say)
    lint = str(ours / "torchrl-lint")

    tree = _cloned(arguments.clone, scratch / "tree")
    files = arguments.file or [_nearest(tree)]
    say("filling the store")
    warm, whole = scratch / "warm", [lint, "--all", "--format", "json"]
    filled = subprocess.run(whole, cwd=tree, env={**os.environ, **_emptied(warm)}, capture_output=True, text=True)
    if filled.returncode not in (0, 1):
        raise Failed(f"torchrl-lint --all: exit status {filled.returncode}: {filled.stderr.strip()}")

    seen = partial(_copied, warm, scratch / "run")
    cases = [
        Case("whole tree, warm store", whole, tree, seen, (0, 1), '"schema": 1'),
        Case("whole tree, empty store", whole, tree, partial(_emptied, scratch / "run"), (0, 1), '"schema": 1'),
        Case("ruff", [str(tools["ruff"]), "check", "--no-cache"], tree, statuses=(0, 1)),
        Case("flake8, whole tree", [str(tools["flake8"])], tree, statuses=(0, 1)),
        Case("Fixit", [str(tools["fixit"]), "--rules", _FIXIT_RULE, "--quiet", "lint", "."], tree, statuses=(0, 1)),
    ]
    rows = [
        Row(f"{cases[0].name}, all rules", cases[0].name, "ruff", "ruff check, no cache", 0.6),
        Row(f"{cases[1].name}, all rules", cases[1].name, "flake8, whole tree", "flake8, its setup.cfg", 0.1),
        Row(f"{cases[1].name}, all rules", cases[1].name, "Fixit", "Fixit with one rule", 0.05),
    ]
    for number, file in enumerate(files):
        folder = scratch / f"change{number}"
        added = _of_file(arguments.clone, folder, file, lint, str(ours / "python"), str(tools["flake8"]), seen)
        cases[:0], rows[:0] = added
    least = cpu(cases, arguments.runs, say)
    say("memory")
    most = max(peak(case) for case in cases if case.command is whole)
    return "\n".join([*_table(rows, least, most), *(_details(least) if arguments.verbose else ())])


def _of_file(
    clone: Path, folder: Path, file: str, lint: str, python: str, flake8: str, seen: Callable[[], Mapping[str, str]]
) -> tuple[list[Case], list[Row]]:
    """The hook on one changed file, without and with a finding, and what it is compared with."""
    clean, faulty = (_cloned(clone, folder / name) for name in ("clean", "faulty"))
    for tree, text in ((clean, _HARMLESS), (faulty, _FAULTY)):
        with open(tree / file, "a", encoding="utf-8") as stream:
            stream.write(text)
        _git(tree, "add", "--", file)
    hook = [lint, "--staged"]
    parse = [python, "-c", "import libcst, sys; libcst.parse_module(open(sys.argv[1], 'rb').read())", file]
    cases = [
        Case(f"hook on {file}, clean", hook, clean, seen),
        Case(f"hook on {file}, finding", hook, faulty, seen, (1,), "+@pytest.mark.gpu"),
        Case(f"flake8 on {file}", [flake8, file], clean, statuses=(0, 1)),
        Case(f"LibCST on {file}", parse, faulty),
    ]
    names = [case.name for case in cases]
    size = f"{(clean / file).stat().st_size / 1000:.0f} kB"
    return cases, [
        Row(f"hook, {file} ({size}) changed, clean, warm store", names[0], names[2], "flake8 on that file", 0.3),
        Row("the same with a new finding and its edit", names[1], names[3], "importing LibCST and parsing it", 2),
    ]


def _table(rows: list[Row], least: dict[str, float], most: int) -> Iterator[str]:
    yield "| run | compared with | ratio | bound | holds |"
    yield "|---|---|---|---|---|"
    for row in rows:
        ratio = least[row.ours] / least[row.theirs]
        yield f"| {row.what} | {row.called} | {ratio:.3f} | {row.bound:g} | {_yes(ratio < row.bound)} |"
    holds = _yes(most < 300 * _MEBIBYTE)
    yield f"| peak memory, whole tree, all processes | | {most / _MEBIBYTE:.0f} MiB | 300 MiB | {holds} |"


def _details(least: dict[str, float]) -> Iterator[str]:
    yield ""
    for name, seconds in least.items():
        yield f"{seconds:9.3f} s CPU  {name}"


def _yes(holds: bool) -> str:
    return "yes" if holds else "NO"


def _cloned(clone: Path, target: Path) -> Path:
    """A checkout that shares the clone's objects, so that a partial clone is enough."""
    subprocess.run(
        ["git", "clone", "--quiet", "--shared", "--no-checkout", str(clone), str(target)],
        check=True,
        capture_output=True,
        text=True,
    )
    _git(target, "checkout", "--quiet")
    return target


def _git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True).stdout


def _nearest(tree: Path) -> str:
    """The test file that the bounds were written for, by its size; one that can hold the faulty test."""
    sizes = {
        path: path.stat().st_size
        for path in sorted((tree / "test").rglob("test_*.py"))
        if {"import pytest", "import torch"} <= set(path.read_text(encoding="utf-8").splitlines())
    }
    if not sizes:
        raise Failed("no file test/**/test_*.py imports pytest and torch; name one with --file")
    return min(sizes, key=lambda path: abs(sizes[path] - _SIZE)).relative_to(tree).as_posix()


def _installed(venv: Path, requirement: str, say: Callable[[str], None]) -> Path:
    """The folder of programs of a virtual environment that has a requirement; made where it is missing."""
    say(f"installing {requirement}")
    programs = venv / "bin"
    if not programs.is_dir():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True, capture_output=True, text=True)
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]
    subprocess.run(pip, check=True, capture_output=True, text=True)
    return programs


def _sources(target: Path) -> Path:
    """A copy of the project to install from: building leaves nothing in the checkout and takes nothing stale."""
    listed = _git(_PROJECT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (_PROJECT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(_PROJECT / name, target / name)
    return target


def _copied(warm: Path, folder: Path) -> dict[str, str]:
    """A store that knows the clone and not the change; a run that adds the change to it does not help the next."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(warm, folder)
    return {"XDG_CACHE_HOME": str(folder)}


def _emptied(folder: Path) -> dict[str, str]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return {"XDG_CACHE_HOME": str(folder)}


if __name__ == "__main__":
    sys.exit(main())
