"""Hydra Configs: dataclasses of one folder, their fields, the classes behind ``_target_``, their registration."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from ..facts.records import Class, Function
from ..facts.source import walk
from . import Project
from .bodies import body, docstring
from .factories import factory, target_classes
from .mro import Place, find, methods, mro
from .signatures import class_fields, signature
from .worlds import dotted_name, parse

HYDRA = ("_target_", "_partial_", "_recursive_", "_convert_", "_args_")
"""Fields that Hydra reads itself."""


class Field(NamedTuple):
    """One field of a Config.

    Args:
        value: source of what follows the equals sign, "" for nothing.
        path, owner: the class that declares it last.
    """

    name: str
    value: str
    annotation: str
    line: int
    path: str
    owner: str


class Config(NamedTuple):
    """A Config.

    Args:
        target: ``_target_`` as one string, "" where it has none.
        own_target: whether the class itself sets it.
        fields: its own and inherited ones in the order of its ``__init__``.
    """

    path: str
    record: Class
    target: str
    own_target: bool
    fields: tuple[Field, ...]

    @property
    def name(self) -> str:
        """Name of the class."""
        return self.record.qualname

    @property
    def partial(self) -> bool:
        """Whether the first argument comes later."""
        return any(item.name == "_partial_" and item.value == "True" for item in self.fields)

    def field(self, name: str) -> Field | None:
        """The field of a name."""
        return next((item for item in self.fields if item.name == name), None)

    def line(self, name: str) -> int:
        """Where a finding about a field stands: the field's line in this file, else the class's."""
        found = self.field(name)
        return found.line if found and found.path == self.path else self.record.line


class Stored(NamedTuple):
    """One ``cs.store(group=..., name=..., node=...)``."""

    group: str
    name: str
    node: str
    line: int


class Registration(NamedTuple):
    """What the package of the Configs imports, exports and stores."""

    path: str
    imported: frozenset[str]
    exported: frozenset[str]
    stored: tuple[Stored, ...]


def configs(project: Project) -> list[Config]:
    """All Configs of the tree, by file and line."""
    if "configs" not in project.memo:
        folder = project.profile["configs"]
        project.memo["configs"] = [
            config for path in project.tree.paths(folder, ".py") for config in configs_of(project, path)
        ]
    return project.memo["configs"]


def configs_of(project: Project, path: str) -> list[Config]:
    """The Configs of one file."""
    key = ("configs", path)
    if key not in project.memo:
        module = project.module(path)
        project.memo[key] = [
            _config(project, path, record) for record in (module.classes if module else ()) if _is_dataclass(record)
        ]
    return project.memo[key]


def target(project: Project, config: Config) -> Place | str | None:
    """What ``_target_`` names: a class or function, why that is not known, or None for certainly nothing."""
    return find(project, config.target)


def classes(project: Project, config: Config) -> list[Place]:
    """Classes that a Config makes objects of; several for a factory that chooses."""
    found = target(project, config) if config.target else None
    if not isinstance(found, Place):
        return []
    return [found] if isinstance(found.record, Class) else target_classes(found)


def files(project: Project, config: Config) -> set[str]:
    """Files of the tree that what a Config should look like is read from: its own, bases, factory, classes up their MRO."""
    paths = definition_files(project, config)
    for place in classes(project, config):
        paths |= {path for other, path in signature(*place).places if other is project}
    return paths


def definition_files(project: Project, config: Config) -> set[str]:
    """Files of a Config itself: its class, its bases, its factory and what that calls."""
    paths = {link.path for link in mro(project, config.path, config.record) if link.project is project}
    found = target(project, config) if config.target else None
    if isinstance(found, Place) and isinstance(found.record, Function) and found.project is project:
        paths |= {place.path for place in factory(found).places}
    return paths


def is_abstract(place: Place) -> bool:
    """Whether a class has abstract methods of its own: it is there to be derived from."""
    prefix = place.record.qualname + "."
    return any(
        item.text.rpartition(".")[2].startswith("abstract")
        for qualname, functions in methods(place.project, place.path).items()
        if qualname.startswith(prefix)
        for item in functions[-1].decorators
    )


def is_nested_helper(project: Project, config: Config) -> bool:
    """Whether other Configs use it as the value of a field, and nothing stores or exports it."""
    registered = registration(project)
    if config.name in registered.exported or any(item.node == config.name for item in registered.stored):
        return False
    return config.name in _used_in_fields(project)


def _used_in_fields(project: Project) -> frozenset[str]:
    """Words of the annotations and defaults of other classes' fields."""
    if "used in fields" not in project.memo:
        project.memo["used in fields"] = frozenset(
            word
            for config in configs(project)
            for item in config.fields
            if item.owner == config.name and "Config" in item.annotation + item.value
            for word in re.findall(r"\w+", item.annotation + " " + item.value)
            if word != config.name
        )
    return project.memo["used in fields"]


def registration(project: Project) -> Registration:
    """What ``__init__.py`` of the folder says about the Configs."""
    if "registration" not in project.memo:
        project.memo["registration"] = _registration(project)
    return project.memo["registration"]


def refers_to(project: Project, path: str, record: Class, names: set[str]) -> bool:
    """Whether a Config's docstring holds a role to something of one of these last names, on one line or two."""
    text = docstring(project, path, record)
    return any(found.rpartition(".")[2] in names for found in (re.sub(r"\s", "", item) for item in _ROLE.findall(text)))


_ROLE = re.compile(r":(?:py:)?(?:class|func|obj|meth|attr):\s*`(?:[^`<]*<)?\s*[~!]?\s*([\w.\s]+?)\s*>?`")


def _is_dataclass(record: Class) -> bool:
    return any(item.text.partition("(")[0].rpartition(".")[2] == "dataclass" for item in record.decorators)


def _config(project: Project, path: str, record: Class) -> Config:
    found: dict[str, Field] = {}
    for link in reversed(mro(project, path, record)):
        for item in (
            class_fields(link.project, link.path, link.record) if link.record and _is_dataclass(link.record) else ()
        ):
            found[item.name] = Field(item.name, item.value, item.annotation, item.line, link.path, link.name)
    given = found.get("_target_")
    node = parse(given.value) if given and given.value else None
    name = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    return Config(path, record, name, bool(name) and given.owner == record.qualname, tuple(found.values()))


def _registration(project: Project) -> Registration:
    path = f"{project.profile['configs']}/__init__.py"
    module = project.module(path)
    if module is None:
        return Registration(path, frozenset(), frozenset(), ())
    exported: set[str] = set()
    for item in module.assigns:
        if item.name == "__all__" and (node := parse(item.value)) is not None:
            exported |= {
                inner.value for inner in walk(node) if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
            }
    stored = [
        found
        for function in module.functions
        for node in walk(body(project, path, function))
        if isinstance(node, ast.Call) and (found := _stored(node, function.line))
    ]
    return Registration(path, frozenset(item.bound for item in module.imports), frozenset(exported), tuple(stored))


def _stored(node: ast.Call, first: int) -> Stored | None:
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "store":
        return None
    words = {word.arg: word.value for word in node.keywords}
    given = dotted_name(words.get("node", ast.Constant(None))) or ""
    values = {
        name: value.value if isinstance(value := words.get(name), ast.Constant) else "" for name in ("group", "name")
    }
    return Stored(values["group"], values["name"], given.rpartition(".")[2], first + node.lineno - 1) if given else None
