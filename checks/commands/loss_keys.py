"""``torchrl-smoke loss-keys LOSS``: which keys a loss reads and writes, by its own words and in fact."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from torchrl_preflight.hooks.report import printable

SUMMARY = "the keys of a loss: accepted ones and their defaults, read and written, declared and actual, and an actor's"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("loss", metavar="LOSS", help="as ClipPPOLoss")
    parser.add_argument(
        "--actor",
        metavar="MODULE:NAME | KEYS",
        help="does this actor write what the loss reads: where it, or what builds it, can be imported; or its out_keys, "
        "with commas between them and a dot within nested ones",
    )


def main(arguments: argparse.Namespace) -> int:
    from torchrl_preflight.hooks.run import UsageError

    from ..progress import shown_on
    from ..run import loss_keys

    with shown_on(sys.stderr) as progress:
        found = loss_keys(arguments.loss, arguments.actor, progress)
    if "wrong" in found:
        raise UsageError(found["wrong"])
    if arguments.format == "json":
        print(json.dumps({"schema": 1, **found}, indent=1))
    else:
        print("\n".join((_markdown if arguments.format == "markdown" else _text)(found)))
    actor = found["actor"]
    if actor is None or actor["satisfied"]:
        return 0
    return 3 if actor["satisfied"] is None else 1


def _name(key: Any) -> str:
    return printable(repr(tuple(key)) if isinstance(key, list) else str(key))


def _names(keys: list[Any] | None) -> str:
    if keys is None:
        return "not known"
    return ", ".join(map(_name, keys)) or "none"


def _lines(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(what, the words) of everything but the accepted keys."""
    yield "in_keys", _names(found["in_keys"])
    yield "out_keys, declared", _names(found["declared"])
    yield "out_keys, actual", _names(found["actual"])
    if found["undeclared"]:
        yield "given and not declared", _names(found["undeclared"])
    if found["missing"]:
        yield "declared and not given", _names(found["missing"])
    yield "value estimators", _names(found["value_estimators"])
    actor = found["actor"]
    if actor:
        yield "the actor writes", _names(actor["out_keys"])
        for one in actor["lacking"]:
            yield "the actor lacks", f"{_name(one['key'])} ({one['field']}): {one['hint']}"
        if actor["satisfied"]:
            yield "the actor", "writes all that the loss reads of it"
        elif actor["satisfied"] is None:
            yield "the actor", "cannot be judged: what the loss reads is not known"
    for note in found["notes"]:
        yield "note", printable(note)


def _rows(found: dict[str, Any]) -> list[tuple[str, str, str]]:
    read = {True: "read from the data", False: "", None: "not known"}
    return [(one["field"], _name(one["default"]), read[one.get("read")]) for one in found["accepted"]]


def _text(found: dict[str, Any]) -> Iterator[str]:
    yield found["loss"]
    yield ""
    rows = [("set_keys", "default", ""), *_rows(found)]
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for field, default, read in rows:
        yield f"{field:{wide[0]}}  {default:{wide[1]}}  {read}".rstrip()
    yield ""
    lines = list(_lines(found))
    width = max(len(what) for what, _ in lines)
    yield from (f"{what:{width}}  {words}" for what, words in lines)


def _markdown(found: dict[str, Any]) -> Iterator[str]:
    yield f"## `{found['loss']}`"
    yield ""
    yield from ("| set_keys | default | |", "| --- | --- | --- |")
    yield from (f"| `{field}` | `{default}` | {read} |" for field, default, read in _rows(found))
    yield ""
    yield from (f"- {what}: {words}" for what, words in _lines(found))
