"""``torchrl-lint``: arguments in, exit status out."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from .command import Parser, guarded
from .git import Git, GitError
from .profile import ConfigError
from .report import FORMATS, Style, render
from .run import Options, UsageError, open_project, run


def main(argv: Sequence[str] | None = None) -> int:
    """Runs ``torchrl-lint``.

    Args:
        argv: arguments without the program's name.

    Returns:
        The exit status: 0 no new error, 1 a new error or (with --fix) a change, 2 wrong usage or an
        unreadable repository, 70 an internal error.
    """
    argv = list(sys.argv[1:] if argv is None else argv)
    passing = "the commit was let pass unjudged" if "--staged" in argv else ""
    refusals = dict.fromkeys((GitError, ConfigError, UsageError), 2)
    judge = _command if argv and argv[0] in _commands() else _lint
    return guarded("torchrl-lint", lambda: judge(argv), refusals, passing)


def _lint(argv: list[str]) -> int:
    arguments = _parser().parse_args(argv)
    options = Options(
        repo=arguments.repo,
        ref=arguments.ref,
        base=arguments.base,
        staged=arguments.staged,
        everything=arguments.all,
        paths=_paths(arguments),
        select=_names(arguments.select),
        ignore=_names(arguments.ignore),
        fix=arguments.fix,
        edits=arguments.diff,
        cache=not arguments.no_cache,
        jobs=arguments.jobs,
        title=arguments.title,
        target_branch=arguments.target_branch,
    )
    if options.staged and options.ref:
        raise UsageError("--staged judges the index and --ref a commit; give one of them")
    if options.fix and arguments.diff:
        raise UsageError("--fix applies the edits and --diff prints them; give one of them")
    report = run(options)
    if arguments.diff:
        # As bytes: a patch is in the encoding and with the line ends of its files.
        sys.stdout.buffer.write(report.diff.encode("utf-8", "surrogateescape"))
    else:
        again = shlex.join(["torchrl-lint", *argv])
        color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        style = Style(arguments.advice, arguments.show_suppressed, color, again)
        sys.stdout.write(render(arguments.format, report, style))
    sys.stdout.flush()
    return report.exit_status


def _command(argv: list[str]) -> int:
    command = import_module(f".commands.{argv[0].replace('-', '_')}", __package__)
    parser = Parser(prog=f"torchrl-lint {argv[0]}", description=command.SUMMARY)
    parser.add_argument("--repo", default=".", metavar="DIR", help="repository to look at (default: here)")
    parser.add_argument("--ref", metavar="TREEISH", help="look at this commit instead of the working tree")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    command.configure(parser)
    arguments = parser.parse_args(argv[1:])
    project = store = git = None
    if getattr(command, "NEEDS_PROJECT", True):
        project, store, git = open_project(Options(repo=arguments.repo, ref=arguments.ref))
        if project is None:
            raise UsageError(f"{arguments.repo}: no profile fits this tree (it has neither torchrl nor tensordict)")
    status = command.main(arguments, project)
    for opened in (store, git):
        if opened is not None:
            opened.close()
    return status


def _parser() -> Parser:
    parser = Parser(
        prog="torchrl-lint",
        description="Judge a change to pytorch/rl by its maintainers' rules. Only what is new fails.",
        epilog=f"subcommands: {', '.join(_commands())} (torchrl-lint COMMAND --help)",
    )
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="show findings of these files and folders only; all is read")
    add(
        "--paths-from",
        metavar="FILE",
        help="read further paths from a file, or - for standard input; NUL or line separated",
    )
    add("--repo", default=".", metavar="DIR", help="repository to judge (default: here)")
    add("--ref", metavar="TREEISH", help="judge this commit instead of the working tree; nothing is checked out")
    add("--base", metavar="TREEISH", help="compare with this commit (default: chosen from the branch or the CI event)")
    add("--staged", action="store_true", help="judge the index, as a commit hook does")
    add("--all", action="store_true", help="judge everything that stands in the tree, old faults included")
    add("--title", default="", metavar="TEXT", help="title of the pull request (default: that of the CI event)")
    add(
        "--target-branch",
        default="",
        metavar="BRANCH",
        help="also advise on what this branch lacks of the change's names",
    )
    add("--select", default="", metavar="a,b", help="only these rules")
    add("--ignore", default="", metavar="c", help="all rules but these")
    add("--fix", action="store_true", help="apply the edits to the files; exits 1 if anything changed")
    add("--diff", action="store_true", help="print the edits as one patch instead of the report")
    add("--advice", action="store_true", help="show advisories, too")
    add("--show-suppressed", action="store_true", help="show what comments and waivers suppress, too")
    add("--format", choices=FORMATS, default="text", help="default: text")
    add("--no-cache", action="store_true", help="neither read nor write the store of facts")
    add(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes for parsing (default: one a core)"
    )
    add("--version", action="version", version=f"%(prog)s {_version()}" if "--version" in sys.argv else "")
    return parser


def _version() -> str:
    from importlib.metadata import version

    return version("torchrl-preflight")


def _commands() -> list[str]:
    return sorted(path.stem.replace("_", "-") for path in (Path(__file__).parent / "commands").glob("[!_]*.py"))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _paths(arguments: argparse.Namespace) -> tuple[str, ...]:
    given = list(arguments.paths)
    if arguments.paths_from:
        given += _listed(arguments.paths_from)
        if not given:
            raise UsageError(f"--paths-from {arguments.paths_from}: no paths in it")
    if not given:
        return ()
    root = Git(arguments.repo, inherit=arguments.repo == ".").root
    return tuple(_relative(path, arguments.repo, root) for path in given)


def _listed(source: str) -> list[str]:
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise UsageError(f"--paths-from {source}: {error.strerror}") from error
    separator = b"\0" if b"\0" in data else b"\n"
    return [os.fsdecode(name.removesuffix(b"\r")) for name in data.split(separator) if name]


def _relative(path: str, repo: str, root: Path | None) -> str:
    """A path as typed, relative to --repo as with ``git -C`` -> as the tree names it."""
    if root is None:
        return os.path.normpath(path).replace(os.sep, "/")
    folder, name = os.path.split(os.path.abspath(os.path.join(repo, path)))
    found = os.path.relpath(os.path.join(os.path.realpath(folder), name), os.path.realpath(root)).replace(os.sep, "/")
    if found.startswith("../") or found == "..":
        raise UsageError(f"{path}: outside the repository {root}")
    return "" if found == "." else found
