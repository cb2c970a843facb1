"""What the rules about Configs share: which Configs a change concerns, and a difference as a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..facts.records import Function
from ..finding import Finding
from ..project import Project
from ..project.configs import (
    Config,
    classes,
    configs,
    configs_of,
    definition_files,
    files,
    refers_to,
    registration,
    target,
)
from ..project.factories import factory
from ..project.installed import package, version
from ..project.mro import Place, elsewhere
from ..project.parity import Difference, differences
from ._config import matters


def concerned(change: Change) -> list[Config]:
    """Configs that a change may alter the meaning of: by their own file, their factory's, or that of a class behind them."""
    key = ("config concerned", change.everything, change.before is None, *change.judged)
    if key not in change.project.memo:
        change.project.memo[key] = _concerned(change)
    return change.project.memo[key]


def _concerned(change: Change) -> list[Config]:
    project = change.project
    if change.everything:
        return configs(project)
    folder = project.profile["configs"] + "/"
    if change.before is None:
        # The base of a change: only the Configs that the other side speaks of.
        return [config for path in change.judged_under(folder[:-1], ".py") for config in configs_of(project, path)]
    changed = {path for path in change.changed if matters(change, path)}
    own = {path for path in changed if path.startswith(folder)}
    if changed - own:
        return [
            config for config in configs(project) if files(project, config) & changed or not _found(project, config)
        ]
    return [config for config in configs(project) if definition_files(project, config) & own] if own else []


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
        config.path,
        config.line(item.name),
        f"{config.name}.{item.name}",
        item.message,
        item.hint,
        text=item.text,
        severity=item.severity,
        also_touch=_also(project, config, item),
        verify=verify(project, config),
        derived_from=derived(project, config),
    )


def _also(project: Project, config: Config, item: Difference) -> tuple[str, ...]:
    """Every other place that a new parameter needs, as far as it is not there."""
    if item.kind != "missing":
        return (
            (item.argument.path,)
            if item.argument and item.argument.project is project and item.kind == "unknown"
            else ()
        )
    places = []
    if item.factory is not None:
        places.append(
            f"{item.factory.path}:{item.factory.record.line} (pop and pass it on in {item.factory.record.name})"
        )
    registered = registration(project)
    if config.name not in registered.exported or not any(stored.node == config.name for stored in registered.stored):
        places.append(f"{registered.path} (import, __all__ and cs.store)")
    for place in classes(project, config)[:1]:
        names = {other.record.name for other in classes(project, config)}
        if not refers_to(project, config.path, config.record, names):
            places.append(
                f"{config.path}:{config.record.line} (docstring: Hydra configuration for {place.record.name})"
            )
        if place.project is project and config.record.name not in place.record.configs:
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


def unresolved(change: Change) -> Iterator[Finding]:
    """Configs of which the target is certainly nothing; a note says whose classes could not be read."""
    project = change.project
    unread: dict[str, int] = {}
    for config in concerned(change):
        found = target(project, config) if config.target else ""
        if found is None:
            yield _unresolved(project, config)
        elif name := _foreign(found):
            unread[name] = unread.get(name, 0) + 1
    for name, count in unread.items():
        were = f"{count} Configs of its classes were" if count > 1 else "1 Config of its classes was"
        project.note(f"{name} is not installed here: {were} not compared with them")


def _foreign(found: Place | str) -> str:
    """The package of a class that could not be read because it is not installed, "" for anything else."""
    if isinstance(found, str):
        return found.removesuffix(" is not installed here") if found.endswith(" is not installed here") else ""
    ways = factory(found).ways if isinstance(found.record, Function) else ()
    made = [
        way.result.target
        for way in ways
        if way.result and isinstance(way.result.target, str) and " " not in way.result.target
    ]
    return made[0].partition(".")[0] if made else ""


def _unresolved(project: Project, config: Config) -> Finding:
    top, _, name = config.target.rpartition(".")
    other = package(project, config.target.partition(".")[0])
    where = f"{version(other)}, installed here, has" if other else "there is"
    near = [] if other else elsewhere(project, name, project.profile["package"])
    hint = f"Name it by its path: {near[0]}." if near else f"Find what became of {name}, or remove the Config."
    return Finding(
        config.path,
        config.line("_target_"),
        config.name,
        f"{where} no {name} in {top}: instantiating this Config raises",
        hint,
        text=config.target,
        severity="warning" if other else "error",
        verify=verify(project, config),
        derived_from=derived(project, config),
    )
