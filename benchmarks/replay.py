"""Judges each of the last commits of a clone against its parent: what the rules would have said at the time."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple


class Judged(NamedTuple):
    """One commit.

    Args:
        findings: all that are new, of every severity, as ``torchrl-lint --format json`` gives them.
        notes: what the run said besides, for example which files the clone lacks.
        failure: why the commit could not be judged, one line; empty when it was.
    """

    commit: str
    subject: str
    findings: list[dict[str, Any]]
    notes: list[str]
    failure: str = ""

    def of(self, severity: str) -> list[dict[str, Any]]:
        """New findings of one severity."""
        return [finding for finding in self.findings if finding["severity"] == severity]


def main(argv: Sequence[str] | None = None) -> int:
    """Replays commits and prints their new errors.

    Returns:
        0, or 1 when no commit could be judged, or 2 when the clone cannot be read.
    """
    arguments = _parser().parse_args(argv)
    try:
        commits = _commits(arguments.clone, arguments.until, arguments.n)
        judged = list(_judge_all(arguments, commits))
    except subprocess.CalledProcessError as error:
        lines = error.stderr.strip().splitlines() or ["git failed without a message"]
        print(f"replay: {arguments.clone}: {lines[0].removeprefix('fatal: ')}", file=sys.stderr)
        return 2
    except FileNotFoundError as error:
        print(f"replay: {error.filename} was not found; install the project in this Python, and git", file=sys.stderr)
        return 2
    print(_FORMATS[arguments.format](judged))
    return 0 if any(not item.failure for item in judged) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="replay", description=__doc__)
    add = parser.add_argument
    add("clone", type=Path, metavar="CLONE", help="clone of the repository to judge; it is only read")
    add("-n", type=int, default=150, metavar="N", help="how many first-parent commits (default: 150)")
    add("--until", default="HEAD", metavar="REF", help="the last of them (default: HEAD)")
    add("--select", default="", metavar="RULES", help="only these rules, separated by commas")
    add("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="commits at a time (default: one a core)")
    add("--format", choices=sorted(_FORMATS), default="text")
    return parser


def _commits(clone: Path, until: str, count: int) -> list[tuple[str, str]]:
    command = ["git", "-C", str(clone), "log", "--first-parent", f"-n{count}", "--format=%H %s", until, "--"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [(commit, subject) for commit, _, subject in (line.partition(" ") for line in done.stdout.splitlines())]


def _judge_all(arguments: argparse.Namespace, commits: list[tuple[str, str]]) -> Iterator[Judged]:
    # The one beside this Python, so that a checkout is measured and not what PATH happens to hold.
    lint = shutil.which("torchrl-lint", path=os.path.dirname(sys.executable)) or "torchrl-lint"
    command = [lint, "--repo", str(arguments.clone), "--format", "json", "--jobs", "1"]
    if arguments.select:
        command += ["--select", arguments.select]
    show = sys.stderr.isatty()
    with ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        for done, judged in enumerate(pool.map(lambda item: _judge(command, *item), commits), 1):
            if show:
                end = "" if done < len(commits) else "\n"
                print(f"\r{done} of {len(commits)} commits", end=end, file=sys.stderr, flush=True)
            yield judged


def _judge(command: list[str], commit: str, subject: str) -> Judged:
    done = subprocess.run([*command, "--ref", commit, "--base", f"{commit}^"], capture_output=True, text=True)
    try:
        report = json.loads(done.stdout) if done.returncode in (0, 1) else None
    except ValueError:
        report = None
    if report is None:
        why = (done.stderr.strip().splitlines() or [f"exit status {done.returncode} and no message"])[-1]
        return Judged(commit, subject, [], [], why)
    return Judged(commit, subject, [finding for finding in report["findings"] if finding["new"]], report["notes"])


def _text(judged: list[Judged]) -> str:
    parts = []
    for item in judged:
        for finding in item.of("error"):
            parts.append(f"{item.commit[:12]} {item.subject}")
            parts.append(f"  {_place(finding)}: {finding['rule']}: {finding['symbol']}")
            parts += [f"  {finding['message']}", *("    " + line for line in _patch(finding).splitlines()), ""]
    return "\n".join([*parts, *_failures(judged), *_notes(judged), _totals(judged)])


def _markdown(judged: list[Judged]) -> str:
    parts = []
    for item in judged:
        for finding in item.of("error"):
            parts += [f"### {item.commit[:12]} {item.subject}", ""]
            parts += [f"`{finding['rule']}` at `{_place(finding)}`, `{finding['symbol']}`: {finding['message']}", ""]
            if patch := _patch(finding):
                parts += ["```diff", patch.rstrip("\n"), "```", ""]
    return "\n".join([*parts, *(f"- {line}" for line in (*_failures(judged), *_notes(judged))), "", _totals(judged)])


def _json(judged: list[Judged]) -> str:
    return json.dumps({"commits": [item._asdict() for item in judged], "totals": _totals(judged)}, indent=1)


_FORMATS = {"text": _text, "markdown": _markdown, "json": _json}


def _place(finding: dict[str, Any]) -> str:
    return finding["path"] if finding["line"] is None else f"{finding['path']}:{finding['line']}"


def _patch(finding: dict[str, Any]) -> str:
    return finding["edit"]["patch"] if finding["edit"] else ""


def _failures(judged: list[Judged]) -> list[str]:
    return [f"not judged: {item.commit[:12]} {item.subject}: {item.failure}" for item in judged if item.failure]


def _notes(judged: list[Judged]) -> list[str]:
    counted = Counter(note.replace(item.commit, "COMMIT") for item in judged for note in item.notes)
    return [f"note of {count} commit{'s' * (count > 1)}: {note}" for note, count in counted.most_common()]


def _totals(judged: list[Judged]) -> str:
    new = {severity: sum(len(item.of(severity)) for item in judged) for severity in ("error", "warning", "advisory")}
    failed = sum(bool(item.failure) for item in judged)
    return (
        f"{len(judged) - failed} commits judged, {failed} could not be judged; new errors: {new['error']}, "
        f"warnings: {new['warning']}, advisories: {new['advisory']}"
    )


if __name__ == "__main__":
    sys.exit(main())
