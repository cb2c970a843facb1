"""Where an entry belongs on the reference pages, and how it gets there."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ..concrete import Text
from ..facts.records import Class
from ..facts.rst import Block, read
from ..facts.rst import Entry as Line
from ..finding import Finding
from ..project import Project
from ..project.documented import Entry, entries, pages
from ..project.dotted import resolve
from ..project.names import Definition

_NEARLY_ALL = 0.75
_KEYS = {"alphabet": str, "alphabet in any case": str.lower}


class Slot(NamedTuple):
    """The ``autosummary`` that a name belongs into.

    Args:
        written: the entry, relative to ``module``.
        line: where the block begins.
        fix: what ``insert`` needs: the page, the block's number, the entry, what orders the block and which entries come
            earlier; None where more than one block would do.
    """

    page: str
    module: str
    line: int
    written: str
    fix: tuple[str, int, str, str, tuple[str, ...]] | None


def slot(project: Project, where: tuple[str, str]) -> Slot | None:
    """The block with most of the siblings: what the same file defines, else what its folder does.

    A block is written to only where it is the one with most siblings of the file, or holds nearly all of the folder's.
    """
    for near, share in ((where[0], 0.0), (where[0].rpartition("/")[0], _NEARLY_ALL)):
        ranked = sorted(_blocks(project, where, near), key=lambda item: -item[0])
        if ranked:
            count, held, written = ranked[0]
            sure = (len(ranked) == 1 or ranked[1][0] < count) and count >= share * sum(item[0] for item in ranked)
            sure = sure and (not share or count > 2)
            first = held[0]
            fix = (first.path, first.number, written, *_order(project, where, held, written)) if sure else None
            return Slot(first.path, first.block.module, first.block.line, written, fix)
    return None


def _blocks(project: Project, where: tuple[str, str], near: str) -> list[tuple[int, list[Entry], str]]:
    """(number of siblings in a file or folder, entries, the name as it would be written) of each block that can hold a name."""
    found = []
    kind = (near, _is_class(project, where))
    for held, siblings in _by_block(project):
        written = _written(project, held[0].block.module, where, held) if siblings[kind] else ""
        if written:
            found.append((siblings[kind], held, written))
    return found


def _by_block(project: Project) -> list[tuple[list[Entry], Counter[tuple[str, bool]]]]:
    """The entries of each block, and how many of them are classes, or are not, of each file and folder."""
    key = ("entries by block",)
    if key not in project.memo:
        found: dict[tuple[str, int], list[Entry]] = {}
        for path in pages(project):
            for entry in entries(project, path):
                if entry.block is not None:
                    found.setdefault((path, entry.number), []).append(entry)
        project.memo[key] = [(held, _homes(held)) for held in found.values()]
    return project.memo[key]


def _homes(held: list[Entry]) -> Counter[tuple[str, bool]]:
    meant = [entry.found for entry in held if isinstance(entry.found, Definition)]
    return Counter(
        (home, isinstance(item.record, Class)) for item in meant for home in (item.path, item.path.rpartition("/")[0])
    )


def _is_class(project: Project, where: tuple[str, str]) -> bool:
    module = project.module(where[0])
    return module is not None and any(item.qualname == where[1] for item in module.classes)


def _written(project: Project, module: str, where: tuple[str, str], held: list[Entry]) -> str:
    """How to write a name below a module: as its siblings of the same file, else alone, else as any entry of the block."""
    same = [entry for entry in held if isinstance(entry.found, Definition) and entry.found.path == where[0]]
    prefixes = [entry.written.rpartition(".")[0] for entry in (*same, *held)]
    for prefix in dict.fromkeys([*prefixes[: len(same)], "", *prefixes]):
        written = f"{prefix}.{where[1]}" if prefix else where[1]
        full = written if written.startswith(module + ".") else f"{module}.{written}"
        meant = resolve(project, full)
        if isinstance(meant, Definition) and (meant.path, meant.name) == where:
            return written
    return ""


def _order(project: Project, where: tuple[str, str], held: list[Entry], written: str) -> tuple[str, tuple[str, ...]]:
    """What decides the place among the entries of a block: the alphabet where it has that, else what comes earlier."""
    names = [entry.written for entry in held]
    for how, key in _KEYS.items():
        if len(names) > 2 and names == sorted(names, key=key):
            return how, ()
    module = project.module(where[0])
    lines = {item.qualname: item.line for item in (*module.classes, *module.functions)}
    same = [entry for entry in held if isinstance(entry.found, Definition) and entry.found.path == where[0]]
    order = [lines.get(entry.found.name, 0) for entry in same]
    prefix = written[: -len(where[1])]
    if len(same) < 2 or order == sorted(order):
        return "file", tuple(f"{prefix}{name}" for name, line in lines.items() if line < lines[where[1]])
    return "last", tuple(entry.written for entry in same)


def insert(module: Text, finding: Finding) -> Text | None:
    """The page with the entry of a finding; None for its other files, and where the entry is there."""
    page, number, written, how, earlier = finding.fix
    if finding.path != page:
        return None
    blocks = read(module.code).blocks
    block = blocks[number] if number < len(blocks) else None
    if block is None or not block.entries or any(entry.name == written for entry in block.entries):
        return None
    lines = module.code.splitlines(keepends=True)
    before = _earlier(block, written, how, earlier)
    line = lines[(before or block.entries[0]).line - 1]
    indent, mark = line[: len(line) - len(line.lstrip())], "~" if line.lstrip().startswith("~") else ""
    end = "\r\n" if line.endswith("\r\n") else "\n"
    if before is not None and not line.endswith("\n"):
        lines[before.line - 1] = line + end
    at = before.line if before is not None else block.entries[0].line - 1
    lines.insert(at, f"{indent}{mark}{written}{end}")
    return Text("".join(lines))


def _earlier(block: Block, written: str, how: str, earlier: tuple[str, ...]) -> Line | None:
    """The entry that a new one follows; None where it comes first."""
    if how in _KEYS:
        key = _KEYS[how]
        return next((entry for entry in reversed(block.entries) if key(entry.name) < key(written)), None)
    return next((entry for entry in reversed(block.entries) if entry.name in earlier), None)
