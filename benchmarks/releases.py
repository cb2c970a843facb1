"""Runs the smoke checks over unpacked releases of torchrl: what fails on one and passes on the next, and which fix it is."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from packaging.version import InvalidVersion, Version
from torchrl_preflight.checks import toml

FIXES = Path(__file__).with_suffix(".toml")
Checks = dict[str, dict[str, Any]]  # by id, as ``torchrl-smoke --format json`` gives them


class Turn(NamedTuple):
    """One check that fails on a release and passes on the next, with the fixes, or else what, that account for it."""

    old: str
    new: str
    check: str
    reason: str
    fixes: tuple[str, ...]
    other: tuple[str, ...]


def main(argv: Sequence[str] | None = None) -> int:
    """Prints a table of the turns between consecutive releases, what no fix accounts for, and the fixes not seen.

    Returns:
        0; 1 when nothing accounts for a turn or the newest release fails a check; 2 when there are not two releases to compare or the
        reports cannot be kept.
    """
    arguments = _parser().parse_args(argv)
    releases = sorted(_releases(arguments.folder), key=lambda path: Version(path.name))
    releases = [path for path in releases if path.name in (arguments.release or [path.name])]
    if len(releases) < 2:
        print(f"releases: {arguments.folder} does not hold two unpacked releases", file=sys.stderr)
        return 2
    if arguments.keep and arguments.keep.exists() and not arguments.keep.is_dir():
        print(f"releases: --keep {arguments.keep}: this is a file; name a folder", file=sys.stderr)
        return 2
    checks = {path.name: _checked(path, arguments) for path in releases}
    accounts = toml.read(FIXES)
    fixes = accounts["fix"]
    turns = [turn for old, new in pairwise(checks) for turn in _turns(old, new, checks, accounts)]
    print(_table(turns))
    seen = {fix for turn in turns for fix in turn.fixes}
    print(f"\n{len(seen)} of {len(fixes)} fixes seen.")
    for missing in (row for row in fixes if row["commit"] not in seen):
        print(f"not seen: {missing['commit']} {missing['fault']}")
    for name, found in checks.items():
        counts = {status: sum(check["status"] == status for check in found.values()) for status in STATUSES}
        print(f"{name}: {', '.join(f'{count} {status}' for status, count in counts.items() if count)}")
    failing = [name for name, check in checks[releases[-1].name].items() if check["status"] == "failed"]
    for name in failing:
        print(f"fails on {releases[-1].name}: {name}: {checks[releases[-1].name][name]['reason']}")
    return int(bool(failing) or any(not turn.fixes + turn.other for turn in turns))


SHOWN = 3  # checks of one row
STATUSES = ("passed", "unverified", "blocked", "failed")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="releases", description=__doc__)
    add = parser.add_argument
    add("folder", type=Path, metavar="FOLDER", help="one folder a release, VERSION/torchrl and VERSION/tensordict")
    add("--area", action="append", default=[], help="only this area; may be repeated")
    add("--tier", action="append", default=[], help="a tier to run (default: cpu and full); may be repeated")
    add("--release", action="append", default=[], help="only this release; may be repeated")
    add("--keep", type=Path, metavar="DIR", help="keep each release's report here, and use those that are there")
    return parser


def _releases(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        try:
            Version(path.name)
        except InvalidVersion:
            continue
        if (path / "torchrl").is_dir():
            yield path


def _checked(release: Path, arguments: argparse.Namespace) -> Checks:
    """Every check of the tiers asked for, on this release."""
    found: Checks = {}
    for tier in arguments.tier or ["cpu", "full"]:
        kept = arguments.keep and arguments.keep / f"{release.name}.{tier}.json"
        if kept and kept.exists():
            text = kept.read_text(encoding="utf-8")
        else:
            print(f"releases: {release.name}, tier {tier}", file=sys.stderr)
            text = _smoke(release, tier, arguments.area)
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(text, encoding="utf-8")
        found |= {check["id"]: check for check in json.loads(text)["checks"]}
    return found


def _smoke(release: Path, tier: str, areas: Sequence[str]) -> str:
    # The one beside this Python, so that a checkout is measured and not what PATH happens to hold.
    smoke = shutil.which("torchrl-smoke", path=os.path.dirname(sys.executable)) or "torchrl-smoke"
    command = [smoke, "--tier", tier, "--format", "json", *(word for area in areas for word in ("--area", area))]
    environment = os.environ | {"PYTHONPATH": str(release.resolve())}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        raise SystemExit(f"releases: {release.name} could not be checked, exit status {done.returncode}")
    return done.stdout


def _turns(old: str, new: str, checks: dict[str, Checks], accounts: dict[str, Any]) -> Iterator[Turn]:
    rows = [row for row in (*accounts["fix"], *accounts["other"]) if row["pair"] == [old, new]]
    for name, check in checks[old].items():
        if check["status"] == "failed" and checks[new].get(name, check)["status"] == "passed":
            mine = [row for row in rows if any(fnmatchcase(name, pattern) for pattern in row["checks"])]
            fixes, other = (tuple(row[key] for row in mine if key in row) for key in ("commit", "why"))
            yield Turn(old, new, name, check["reason"], fixes, other)


def _table(turns: Sequence[Turn]) -> str:
    """One row for each account, with the checks that it is of; those that nothing accounts for by what they verify."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for it in turns:
        told = " or ".join(it.fixes or it.other) or f"? ({'/'.join(it.check.split('/')[:2])})"
        rows.setdefault((it.old, it.new, told), []).append(it.check)
    lines = ["| older | newer | fix | checks |", "| --- | --- | --- | --- |"]
    for (old, new, told), checks in rows.items():
        more = f" and {len(checks) - SHOWN} more" if len(checks) > SHOWN else ""
        lines.append(f"| {old} | {new} | {told} | {', '.join(f'`{check}`' for check in checks[:SHOWN])}{more} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
