"""Who owns a file, a name of torchrl or a word: the areas that answer for it, and all that belongs to them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import NamedTuple

from torchrl_preflight.hooks.project import Project
from torchrl_preflight.hooks.project.events import PULL_REQUEST
from torchrl_preflight.hooks.project.jobs import runs_of
from torchrl_preflight.hooks.project.labeler import asked, config_path
from torchrl_preflight.hooks.project.public import public

from . import index
from .areas import names
from .backends import Backend, backend, backends
from .plan import selected, test_files
from .routes import Subject, rows, rows_of, subjects


class Owner(NamedTuple):
    """One answer.

    Args:
        query: what was asked.
        found: what it was taken for: ``path``, ``symbol``, ``label``, ``word`` or ``area``, and where it stands.
        subjects: the areas.
        checks: ids of the smoke checks of these areas.
        backends: optional packages that they may need.
        tests: test files of pytorch/rl.
        jobs: CI jobs of a pull request that run them, most first; empty without a checkout.
        labels: that the repository's labeler sets for the file or the area's files.
    """

    query: str
    kind: str
    found: str
    subjects: tuple[Subject, ...]
    checks: tuple[str, ...]
    backends: tuple[Backend, ...]
    tests: tuple[str, ...]
    jobs: tuple[str, ...]
    labels: tuple[str, ...]


def owner(query: str, project: Project | None) -> Owner | None:
    """The answer to one question, or None where nothing is known.

    Args:
        project: a checkout, or the installed torchrl, in which paths and names are looked up.
    """
    if project is not None:
        path = _path(query, project)
        if path is not None:
            return _of_path(query, "path", path, path, project)
    areas = [it.area for it in subjects() if query.lower() in (it.area, it.title)]
    if areas:
        return _of_areas(query, "area", areas[0], areas, project)
    symbol = _symbol(query, project) if project is not None else None
    if symbol is not None:
        return _of_path(query, "symbol", *symbol, project)
    label = _label(query, project) if project is not None else None
    if label is not None:
        return label
    if project is not None and query.endswith(".py"):
        return None  # a file that is not there
    told = dict(_told(query)) or dict(_told(re.sub("(?<=[a-z])(?=[A-Z])", " ", query)))
    return _of_areas(query, "word", ", ".join(dict.fromkeys(told.values())), list(told), project) if told else None


def suggestions(query: str, project: Project | None) -> list[str]:
    """Files of the same name, or else words that are spelled like one that leads nowhere."""
    named = _ending(query.replace("\\", "/").rpartition("/")[2], project) if project is not None else []
    if named:
        return sorted(named, key=lambda path: not path.startswith(f"{project.profile['package']}/"))[:3]
    known = {word.lower(): word for it in subjects() for word in (it.area, *it.words)}
    known |= {row.name.lower(): row.name for row in backends()}
    return [known[word] for word in get_close_matches(query.lower(), known, 3, 0.6)]


def _path(query: str, project: Project) -> str | None:
    """A file of the tree, or a folder that has some; also by its place on this disk, as a module, or by the end of its path."""
    git = project.tree.git
    if os.path.isabs(query) and git is not None and git.root is not None:
        query = os.path.relpath(query, git.root)
    plain = query.replace("\\", "/").removeprefix("./").rstrip("/")
    module = plain.replace(".", "/") if plain.startswith(f"{project.profile['package']}.") else plain
    for path in (plain, f"{module}.py", module):
        if path and (path in project.tree or project.tree.paths(path)):
            return path
    named = _ending(plain, project)
    return named[0] if len(named) == 1 else None


def _ending(name: str, project: Project) -> list[str]:
    """The files whose path ends with that of a file."""
    return [path for path in project.tree.paths() if f"/{path}".endswith(f"/{name}")] if "." in name else []


def _symbol(query: str, project: Project) -> tuple[str, str] | None:
    """(how it is imported, the file that defines it) of a public name, or of the class of ``Class.method``."""
    if not re.fullmatch(r"[A-Za-z_][\w.]*", query):
        return None
    owner = query.rpartition(".")[0]
    for wanted in (query, owner) if owner.rpartition(".")[2][:1].isupper() else (query,):
        found = [
            (dotted, meant.path)
            for dotted, meant in public(project).items()
            if meant.path and (dotted == wanted or dotted.endswith(f".{wanted}"))
        ]
        if found:
            return min(found, key=lambda it: (it[0].count("."), it[0]))
    return None


def _label(query: str, project: Project) -> Owner | None:
    """The answer for a label that the labeler sets: that of the files which it is for."""
    known = project.labels(config_path(project))
    name = next((it.name for it in known.labels if it.name.lower() == query.lower()), None) if known else None
    if name is None:
        return None
    files = [path for path in project.tree.paths() if any(it.label == name for it in asked(project, [path]))]
    chosen = selected(project, files)
    count = f"{len(files)} file{'' if len(files) == 1 else 's'}"
    return _owner(query, "label", f"{name} of {count}", list(chosen.areas), list(chosen.tests), [name], project)


def _told(query: str) -> Iterator[tuple[str, str]]:
    """(area, word) of every word and package that is the query, or holds it, or is held by it as a whole word."""
    wanted = _words(query)
    if not wanted:
        return
    exact, near = [], []
    for it in subjects():
        for word in it.words:
            if _words(word) == wanted:
                exact.append((it.area, word))
            elif set(wanted) <= set(_words(word)) or set(_words(word)) <= set(wanted):
                near.append((it.area, word))
    for row in backends():
        if wanted in (_words(row.name), _words(row.distribution), _words(row.module)):
            exact += [(area, row.name) for area in row.areas]
    yield from exact or near


def _words(text: str) -> list[str]:
    """Its words without case, plural and separators."""
    return [word.removesuffix("s") for word in re.findall(r"[a-z0-9]+", text.lower())]


def _of_path(query: str, kind: str, found: str, path: str, project: Project) -> Owner:
    tests = test_files(project)
    files = [path] if path in project.tree else project.tree.paths(path)
    chosen = selected(project, files)
    areas = list(chosen.areas)
    if path in tests:
        areas = _areas_of_test(path)
    labels = dict.fromkeys(label.label for label in asked(project, files))
    return _owner(
        query, kind, f"{found} in {path}" if found != path else path, areas, list(chosen.tests), labels, project
    )


def _of_areas(query: str, kind: str, found: str, areas: list[str], project: Project | None) -> Owner:
    tests: dict[str, None] = {}
    labels: dict[str, None] = {}
    if project is not None:
        everything = test_files(project)
        for path in project.tree.paths(project.profile["package"]):
            for row in rows_of(path):
                if set(areas) & set(row.areas):
                    tests |= dict.fromkeys(row.tests_for(path, everything))
                    labels |= dict.fromkeys(label.label for label in asked(project, [path]))
    return _owner(query, kind, found, areas, list(tests), labels, project)


def _areas_of_test(path: str) -> list[str]:
    """The areas of the rows that take a test file."""
    return list(
        dict.fromkeys(area for row in rows() if any(True for _ in row.tests_for("", [path])) for area in row.areas)
    )


def _owner(
    query: str,
    kind: str,
    found: str,
    areas: list[str],
    tests: list[str],
    labels: Iterable[str],
    project: Project | None,
) -> Owner:
    told = tuple(it for it in subjects() if it.area in areas)
    checks = tuple(check.id for area in names() if area in areas for check in index.checks(area))
    needed = [row for row in backends() if set(row.areas) & set(areas)]
    needed.sort(key=lambda row: row is not backend(query))  # the one that was asked for first
    jobs: Counter[str] = Counter()
    for test in tests if project is not None else ():
        jobs.update({run.job for run in runs_of(project, test) if run.on(PULL_REQUEST)})
    ordered = sorted(jobs, key=lambda job: (-jobs[job], job))
    return Owner(query, kind, found, told, checks, tuple(needed), tuple(sorted(tests)), tuple(ordered), tuple(labels))
