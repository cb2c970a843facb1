"""``torchrl-smoke``: arguments in, exit status out."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from torchrl_preflight.hooks.command import Parser, guarded
from torchrl_preflight.hooks.git import GitError
from torchrl_preflight.hooks.profile import ConfigError
from torchrl_preflight.hooks.report import printable
from torchrl_preflight.hooks.run import Options, UsageError

from . import junit, report
from .areas import names
from .progress import shown_on
from .record import TIERS, Report
from .run import SmokeExtraMissing, TorchrlBroken, catalogue, examine, run

_OF_A_RUN = ("area", "tier", "steps", "check_specs", "device", "require", "changed_since", "junit_xml")


def main(argv: Sequence[str] | None = None) -> int:
    """Run smoke checks, list them, or examine the environment.

    Args:
        argv: the arguments, those of the process unless given.

    Returns:
        The exit status: 0 verified, 1 a failed check, 2 wrong usage, 3 what was asked for by name or everything could not
        be verified here, 70 an internal error, 130 and 143 interrupted.
    """
    refusals = {SmokeExtraMissing: 3, TorchrlBroken: 3} | dict.fromkeys((GitError, ConfigError, UsageError), 2)
    return guarded("torchrl-smoke", lambda: _main(argv), refusals)


def _main(argv: Sequence[str] | None) -> int:
    parser = _parser()
    args = parser.parse_args(argv)
    _heeded(args, parser)
    if args.command in _commands():
        return _command(args.command).main(args)
    _writable(args.junit_xml)
    areas = args.area
    if args.changed_since is not None:
        areas = _changed(args)
        if not areas:
            return _nothing(args)
    with shown_on(sys.stderr) as progress:
        if args.command == "list":
            entries = catalogue(progress)
        elif args.command == "doctor":
            done = examine(progress, steps=args.steps, cli=args.check_cli)
        else:
            done = run(
                areas,
                tier=args.tier,
                steps=args.steps,
                device=args.device,
                check_specs=args.check_specs,
                require=args.require,
                progress=progress,
            )
    if args.command == "list":
        print(report.listing(entries, args.format), flush=True)
        return 0
    print(report.render(done, args.format, every=args.command == "doctor"), flush=True)
    if args.junit_xml:
        _write(args.junit_xml, junit.render(done))
    return done.exit_status


def _heeded(args: argparse.Namespace, parser: Parser) -> None:
    """Refuse an option of a run before a command that would not heed it."""
    heeded = {None: _OF_A_RUN, "doctor": ("steps", "junit_xml")}.get(args.command, ())
    for name in _OF_A_RUN:
        if name not in heeded and getattr(args, name) != parser.get_default(name):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} is for a run of checks, and {args.command} would not heed it; leave it out")


def _nothing(args: argparse.Namespace) -> int:
    """The report of a change that asks for no check: green, as there is nothing that it could break."""
    done = Report({}, ())
    if args.format == "json":
        print(report.render(done, args.format), flush=True)
    if args.junit_xml:
        _write(args.junit_xml, junit.render(done))
    return 0


def _changed(args: argparse.Namespace) -> list[str]:
    """The areas that a change asks for. Says what it chose."""
    from .plan import plan

    if args.area:
        raise UsageError("--changed-since chooses the areas, and --area names them; give one of them")
    try:
        made = plan(Options(base=args.changed_since))
    except GitError as error:
        raise GitError(str(error).replace("--base", "--changed-since", 1)) from error
    areas = made["areas"]
    words = ", ".join(areas) or "no area of smoke checks, so there is nothing to verify"
    print(f"torchrl-smoke: the change since {printable(args.changed_since)} touches {words}", file=sys.stderr)
    return areas


def _writable(path: Path | None) -> None:
    """Refuse early what would be refused after the last check."""
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise UsageError(f"--junit-xml {path}: {'is a folder' if path.is_dir() else 'its folder does not exist'}")


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise UsageError(f"--junit-xml {path}: {error.strerror}") from error


def _parser() -> Parser:
    parser = Parser(
        prog="torchrl-smoke", description="Small checks of a torchrl that is installed, or checked out here."
    )
    parser.add_argument("--area", action="append", choices=names(), default=[], help="area to check (all)")
    parser.add_argument("--tier", choices=TIERS, default="cpu", help="tier of checks to run (cpu)")
    parser.add_argument("--steps", type=_steps, default=3, metavar="N", help="environment steps of a rollout (3)")
    parser.add_argument(
        "--check-specs", action="store_true", help="judge rollouts by torchrl's own check_env_specs, too"
    )
    parser.add_argument(
        "--device", choices=["cpu", "cuda", "auto"], default="cpu", help="where to run; auto: on both (cpu)"
    )
    parser.add_argument(
        "--require",
        type=_need,
        action="append",
        default=[],
        metavar="NEED",
        help="end with 3 unless this is here: a package, ext (the C++ extension), cuda or cuda:N (N GPUs)",
    )
    parser.add_argument(
        "--changed-since", metavar="REF", help="check the areas that the change since this commit touches"
    )
    parser.add_argument("--format", choices=report.FORMATS, default="text", help="form of the report (text)")
    parser.add_argument("--junit-xml", type=Path, metavar="FILE", help="write the report as JUnit XML, too")
    commands = parser.add_subparsers(dest="command", parser_class=Parser)
    told = [("list", "the checks that there are"), ("doctor", "what may be wrong with this environment")]
    told += [(name, _command(name).SUMMARY) for name in _commands()]
    for name, words in told:
        command = commands.add_parser(name, help=words, description=words)
        # suppressed: a default here would overrule --format given before the command
        command.add_argument(
            "--format", choices=report.FORMATS, default=argparse.SUPPRESS, help="form of the report (text)"
        )
        if name in _commands():
            _command(name).configure(command)
        elif name == "doctor":
            command.add_argument(
                "--steps",
                type=_steps,
                default=argparse.SUPPRESS,
                metavar="N",
                help="environment steps of a rollout (3)",
            )
            command.add_argument("--check-cli", action="store_true", help="start the commands of torchrl, too")
    return parser


def _commands() -> list[str]:
    return sorted(path.stem.replace("_", "-") for path in (Path(__file__).parent / "commands").glob("[!_]*.py"))


def _command(name: str) -> ModuleType:
    return import_module(f".commands.{name.replace('-', '_')}", __package__)


def _steps(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of steps: 1 or more")
    return int(text)


def _need(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?<!-)", text) and not re.fullmatch(r"cuda:[1-9][0-9]*", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no need: a package, ext, cuda or cuda:N")
    return text
