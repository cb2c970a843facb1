"""``torchrl-smoke explain backends|extras|troubles``: the tables that doctor and the hints use."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

SUMMARY = "the tables behind doctor and the hints: optional packages, extras, known troubles"

_TITLES = {
    "backends": (
        "Optional packages",
        "What of TorchRL needs which optional package, and the narrow way to get it. `torchrl-smoke doctor` says which of "
        "them are here; a check that needs one that is not is unverified, never passed.",
    ),
    "extras": (
        "Extras",
        "The extras that TorchRL declares. Install one for one need, and none to answer a question about the CPU: a broad "
        "one may replace the torch that was chosen.",
    ),
    "troubles": (
        "Known troubles",
        "How each is recognised, what is behind it, what helps. The hint under a failing check comes from the same table.",
    ),
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", choices=sorted(_TITLES), help="the table to print")


def main(arguments: argparse.Namespace) -> int:
    head, rows = {"backends": _backends, "extras": _extras, "troubles": _troubles}[arguments.topic]()
    if arguments.format == "json":
        print(json.dumps({"schema": 1, arguments.topic: [dict(zip(head, row)) for row in rows]}, indent=1))
    elif arguments.format == "markdown":
        print("\n".join(_markdown(arguments.topic, head, rows)))
    else:
        print("\n".join(_text(head, rows)))
    return 0


Table = tuple[Sequence[str], list[Sequence[Any]]]


def _backends() -> Table:
    from ..backends import backends

    return ("package", "for", "areas", "install"), [
        (row.name, row.use, ", ".join(row.areas), row.command) for row in backends()
    ]


def _extras() -> Table:
    from ..backends import extras

    return ("extra", "for", "brings", "install"), [
        (it.name, it.use, ", ".join(it.brings), f"pip install 'torchrl[{it.name}]'") for it in extras()
    ]


def _troubles() -> Table:
    from ..troubles import troubles

    return ("trouble", "recognised by", "cause", "what to do"), [
        (it.name, it.signs, it.cause, it.remedy) for it in troubles()
    ]


def _text(head: Sequence[str], rows: list[Sequence[Any]]) -> Iterator[str]:
    for first, *others in rows:
        yield str(first)
        for name, words in zip(head[1:], others):
            if words:
                yield f"  {name}: {words}"


def _markdown(topic: str, head: Sequence[str], rows: list[Sequence[Any]]) -> Iterator[str]:
    title, words = _TITLES[topic]
    yield f"# {title}\n\n{words}\n\n<!-- torchrl-smoke explain {topic} --format markdown -->\n"
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for first, *others in rows:
        cells = [str(cell).replace("|", "\\|").replace("<", "&lt;") for cell in others]
        install = head[-1] == "install"
        shown = [*cells[:-1], f"`{others[-1]}`"] if install else cells
        yield f"| `{first}` | {' | '.join(shown)} |"
