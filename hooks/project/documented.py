"""What the reference pages document, and what stands behind each of their entries."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from ..facts.records import Assign, Class, Function
from ..facts.rst import Block, Rst
from . import Project
from .dotted import UNKNOWN, Found, resolve
from .names import Definition, bindings
from .public import exported
from .worlds import parse


class Entry(NamedTuple):
    """A place of a page that documents something, or would.

    Args:
        name: the full path that reports show.
        found: what it leads to; None where it certainly leads to nothing, UNKNOWN where nobody can say.
        block: the ``autosummary`` around it, and ``number``, its place among those of the page; None for a directive.
        written: the name as the page has it.
    """

    path: str
    line: int
    name: str
    found: Found | object | None
    block: Block | None
    number: int
    written: str
    directive: str


def pages(project: Project) -> list[str]:
    """Paths of the pages, without templates."""
    key = ("pages",)
    if key not in project.memo:
        docs = project.profile["docs"]
        apart = tuple(f"{docs}/{folder}/" for folder in templates(project))
        project.memo[key] = [path for path in project.tree.paths(docs, ".rst") if not path.startswith(apart)]
    return project.memo[key]


def templates(project: Project) -> list[str]:
    """Folders of templates below the pages, as the configuration of Sphinx lists them."""
    found = (bindings(project, f"{project.profile['docs']}/conf.py") or {}).get(("", "templates_path"), [])
    trees = [parse(item.value) for item in found if isinstance(item, Assign)]
    items = [item for tree in trees if isinstance(tree, (ast.List, ast.Tuple)) for item in tree.elts]
    return [item.value.strip("/") for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]


def template_files(project: Project) -> list[str]:
    """Templates by the names that ``:template:`` takes."""
    folders = [f"{project.profile['docs']}/{folder}" for folder in templates(project)]
    return [path[len(folder) + 1 :] for folder in folders for path in project.tree.paths(folder)]


def page(project: Project, path: str) -> Rst | None:
    """Facts of a page; what cannot be read is a note."""
    facts = project.page(path)
    if facts is not None and facts.failure:
        project.note(f"{path} was not judged: {facts.failure}")
    return facts


def entries(project: Project, path: str) -> list[Entry]:
    """All that a page documents."""
    key = ("entries", path)
    if key not in project.memo:
        project.memo[key] = list(_entries(project, path))
    return project.memo[key]


def documented(project: Project) -> dict[tuple[str, str], list[Entry]]:
    """(file, qualified name) -> the entries that document it."""
    key = ("documented",)
    if key not in project.memo:
        found: dict[tuple[str, str], list[Entry]] = {}
        for path in pages(project):
            for entry in entries(project, path):
                if isinstance(entry.found, Definition):
                    found.setdefault((entry.found.path, entry.found.name), []).append(entry)
        project.memo[key] = found
    return project.memo[key]


def listed(project: Project) -> set[str]:
    """Full names as the pages write them, whatever stands behind them: a first answer that costs nothing."""
    key = ("listed",)
    if key not in project.memo:
        found = set()
        for path in pages(project):
            facts = page(project, path)
            for block in facts.blocks if facts else ():
                found |= {f"{block.module}.{entry.name}" for entry in block.entries}
            found |= {f"{item.module}.{item.name}" for item in facts.objects} if facts else set()
        project.memo[key] = found
    return project.memo[key]


def _entries(project: Project, path: str) -> Iterator[Entry]:
    facts = page(project, path)
    for number, block in enumerate(facts.blocks if facts else ()):
        for item in block.entries:
            name, found = _summarised(project, block, item.name)
            yield Entry(path, item.line, name, found, block, number, item.name, "autosummary")
    for item in facts.objects if facts else ():
        name = item.name.replace("::", ".")
        yield from _described(project, path, item, name)


def _summarised(project: Project, block: Block, written: str) -> tuple[str, Found | object | None]:
    """The path that reports show for an entry, and what Sphinx finds for it.

    The table of an ``autosummary`` tries the name below the current module, then the name alone; the stub page of one
    with a ``toctree`` is made for the name below the module, unless it begins with it.
    """
    package = project.profile["package"]
    below = f"{block.module}.{written}" if block.module else written
    if block.module and written.startswith(block.module + "."):
        return written, _live(project, written)
    found = _live(project, below)
    if found is None and block.module:
        alone = _live(project, written)
        stub = block.toctree and block.prefix and not written.startswith(block.prefix + ".")
        if alone is not None and not stub:
            return written, alone
        if written.split(".")[0] == package:
            return written, None
    return below, found


def _described(project: Project, path: str, item, name: str) -> Iterator[Entry]:
    """What one directive documents; ``automodule`` also the members that its options ask for."""
    package = project.profile["package"]
    module = "" if item.directive == "automodule" or name.split(".")[0] == package else item.module
    full = f"{module}.{name}" if module else name
    found = _live(project, full)
    if not item.directive.startswith("auto") and found is None:
        found = UNKNOWN  # A description stands for itself.
    yield Entry(path, item.line, full, found, None, -1, item.name, item.directive)
    if item.directive == "automodule" and "members" in item.options and isinstance(found, Definition):
        for member in [name.strip() for name in item.members.split(",") if name.strip()] or exported(
            project, found.path
        ):
            inner = resolve(project, f"{full}.{member}")
            own = isinstance(inner, Definition) and (inner.path == found.path or "imported-members" in item.options)
            if (
                own
                and isinstance(inner.record, (Class, Function))
                and (inner.record.doc or "undoc-members" in item.options)
            ):
                yield Entry(path, item.line, f"{full}.{member}", inner, None, -1, member, item.directive)


def _live(project: Project, name: str) -> Found | object | None:
    """``resolve`` for names of the target's package; what belongs to others is not judged."""
    return resolve(project, name) if name.split(".")[0] == project.profile["package"] else _other(project, name)


def _other(project: Project, name: str) -> object | None:
    """Whether a name may belong to another package: one that the target imports somewhere."""
    first, dot, _ = name.partition(".")
    return UNKNOWN if dot and first in _imported(project) else None


def _imported(project: Project) -> set[str]:
    key = ("imported packages",)
    if key not in project.memo:
        modules = map(project.module, project.tree.paths(project.profile["package"], ".py"))
        project.memo[key] = {
            item.module.partition(".")[0] for module in modules if module for item in module.imports if not item.level
        }
    return project.memo[key]
