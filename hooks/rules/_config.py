"""What the rules about Configs share: which Configs a change concerns, and a difference as a finding."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..change import Change
from ..facts.records import Module
from ..finding import Finding
from ..project import Project
from ..project.bodies import docstring, source
from ..project.configs import Config, classes, configs, configs_of, definition_files, files, refers_to, registration, target
from ..project.mro import Place
from ..project.parity import Difference, differences

_CONFIG = re.compile(r"\w+Config\b")
_SPECIAL = ("__init__", "__call__", "__getattr__")
"""Methods (and a module's function) that decide what a class takes and what a name means."""


def concerned(change: Change) -> list[Config]:
    """Configs that a change may alter the meaning of: by their own file, their factory's, or that of a class behind them."""
    project = change.project
    if change.everything:
        return configs(project)
    folder, package = project.profile["configs"] + "/", project.profile["package"] + "/"
    judged = {path for path in change.judged if path.startswith(package) and path.endswith(".py")}
    own = {path for path in judged if path.startswith(folder)}
    if change.before is None:
        # The base of a change: only the Configs that the other side speaks of.
        return [config for path in sorted(own) for config in configs_of(project, path)]
    gone = {path for path in change.changed - judged if path.startswith(package) and path.endswith(".py")}
    if gone or any(_matters(change, path) for path in judged - own):
        return [config for config in configs(project) if files(project, config) & judged or not _found(project, config)]
    if not own:
        return []
    return [config for config in configs(project) if definition_files(project, config) & own]


def found(change: Change, kind: str) -> Iterator[tuple[Config, Difference, Finding]]:
    """Each difference of a kind, with the finding that tells it."""
    project = change.project
    for config in concerned(change):
        for item in differences(project, config):
            if item.kind == kind:
                yield config, item, _finding(project, config, item)


def is_new(change: Change, config: Config) -> bool:
    """Whether the base has no Config of that name in the file, or in the file that it was renamed from."""
    if change.before is None:
        return False
    old = change.renames.get(config.path, config.path)
    return all(other.name != config.name for other in configs_of(change.before, old))


def verify(project: Project, config: Config) -> str:
    """The command that shows whether a Config is right again."""
    path = project.profile["configs-allowlist"][0]
    return f"python -m pytest {path} -q -k {config.name}" if path in project.tree else ""


def derived(project: Project, config: Config) -> tuple[str, ...]:
    """Files besides its own that a finding about a Config comes from."""
    key = ("derived", config.path, config.name)
    if key not in project.memo:
        project.memo[key] = tuple(sorted(files(project, config) - {config.path}))
    return project.memo[key]


def _finding(project: Project, config: Config, item: Difference) -> Finding:
    return Finding(
        config.path, config.line(item.name), f"{config.name}.{item.name}", item.message, item.hint, text=item.text,
        severity=item.severity, also_touch=_also(project, config, item), verify=verify(project, config),
        derived_from=derived(project, config),
    )


def _also(project: Project, config: Config, item: Difference) -> tuple[str, ...]:
    """Every other place that a new parameter needs, as far as it is not there."""
    if item.kind != "missing":
        return (item.argument.path,) if item.argument and item.argument.project is project and item.kind == "unknown" else ()
    places = []
    if item.factory is not None:
        places.append(f"{item.factory.path}:{item.factory.record.line} (pop and pass it on in {item.factory.record.name})")
    registered = registration(project)
    if config.name not in registered.exported or not any(stored.node == config.name for stored in registered.stored):
        places.append(f"{registered.path} (import, __all__ and cs.store)")
    for place in classes(project, config)[:1]:
        names = {other.record.name for other in classes(project, config)}
        if not refers_to(project, config.path, config.record, names):
            places.append(f"{config.path}:{config.record.line} (docstring: Hydra configuration for {place.record.name})")
        if place.project is project and not refers_to(project, place.path, place.record, {config.record.name}):
            places.append(f"{place.path}:{place.record.line} (docstring: See also {config.name})")
    if config.name not in _listed(project):
        places.append(project.profile["configs-page"])
    return tuple(places)


def _listed(project: Project) -> frozenset[str]:
    """Words of the page that lists the Configs."""
    if "configs page" not in project.memo:
        project.memo["configs page"] = frozenset((project.text(project.profile["configs-page"]) or "").split())
    return project.memo["configs page"]


def _found(project: Project, config: Config) -> bool:
    return isinstance(target(project, config), Place) if config.target else True


def _matters(change: Change, path: str) -> bool:
    """Whether a file changed in something that a Config is compared with."""
    new, old = change.project.module(path), change.before.module(change.renames.get(path, path))
    if new is None or old is None:
        return True
    return _surface(change.project, path, new) != _surface(change.before, change.renames.get(path, path), old)


def _surface(project: Project, path: str, module: Module) -> tuple:
    functions = tuple(
        source(project, path, item) for item in module.functions
        if item.name in _SPECIAL or any(parameter.name == "kwargs" and parameter.kind == "" for parameter in item.parameters)
    )
    shape = tuple(
        (item.qualname, item.bases, item.keywords, _CONFIG.findall(docstring(project, path, item))) for item in module.classes
    )
    names = tuple((item.name, item.value, item.scope) for item in module.assigns)
    imports = tuple((item.module, item.name, item.bound) for item in module.imports if not item.scope)
    return functions, shape, names, imports
