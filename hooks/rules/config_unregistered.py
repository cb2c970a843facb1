"""A Config is not exported, or not in the ConfigStore: no configuration file can choose it.

What it protects: ``env=my_env`` on the command line. A Config with a target of its own must be imported and
in ``__all__`` of the package of the Configs, and be the ``node`` of a ``cs.store``. Two Configs stored under
one group and name hide each other.

Left alone are Configs without a target or with an abstract one, and helpers that serve only as a field of
another Config. For a new Config it is an error, for what stands a warning.

Bad:

    @dataclass
    class MyEnvConfig(EnvLibsConfig):
        _target_: str = "torchrl.envs.MyEnv"      # and nothing in configs/__init__.py

Good:

    from torchrl.trainers.algorithms.configs.envs_libs import MyEnvConfig
    __all__ = [..., "MyEnvConfig"]
    cs.store(group="env", name="my_env", node=MyEnvConfig)

How to fix: import it, add it to ``__all__`` and store it in the group of its siblings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.configs import Config, classes, configs, configs_of, is_abstract, is_nested_helper, registration, target
from ..project.mro import Place
from . import _config, _config_store

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A Config is not exported or not in the ConfigStore"
SEVERITY = "warning"
SECTION = "14"
NEEDS = ("configs",)


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    path = registration(project).path
    judged = configs(project) if path in change.judged else [
        config for each in change.judged_under(project.profile["configs"], ".py") for config in configs_of(project, each)
    ]
    for config in judged:
        if not config.own_target or not isinstance(target(project, config), Place):
            continue
        if lacking := _lacking(project, config):
            if is_nested_helper(project, config) or any(map(is_abstract, classes(project, config))):
                continue
            yield _finding(change, config, lacking)
        yield from _hidden(project, config)


def _lacking(project: Project, config: Config) -> list[str]:
    registered = registration(project)
    stored = any(item.node == config.name for item in registered.stored)
    checks = {"import": config.name in registered.imported, "__all__": config.name in registered.exported, "cs.store": stored}
    return [name for name, there in checks.items() if not there]


def _finding(change: Change, config: Config, lacking: list[str]) -> Finding:
    project = change.project
    path = registration(project).path
    said = {"import": "not imported", "__all__": "not in __all__", "cs.store": "no cs.store has it as node"}
    effect = "Hydra cannot choose it" if "cs.store" in lacking else "it is not exported"
    fix = _config_store.new_entry(project, config, lacking)
    return Finding(
        config.path, config.record.line, config.name, f"{', '.join(said[name] for name in lacking)} ({path}): {effect}",
        f"Add the {', '.join(lacking)} in {path}.", text="unregistered " + " ".join(lacking),
        severity="error" if _config.is_new(change, config) else "warning", also_touch=(path,), derived_from=(path,),
        verify=_config.verify(project, config), fix=fix, fix_also=(path,) if fix else (),
    )


def _hidden(project: Project, config: Config) -> Iterator[Finding]:
    """Entries of the store that a later one of the same group and name replaces."""
    registered = registration(project)
    for mine in registered.stored:
        if mine.node != config.name:
            continue
        later = [item for item in registered.stored if item.line > mine.line and item[:2] == mine[:2] and item.node != mine.node]
        if later:
            yield Finding(
                config.path, config.record.line, config.name,
                f"stored as {mine.group}/{mine.name} ({registered.path}:{mine.line}), where {later[0].node} replaces it (line {later[0].line})",
                "Store one of the two under another name.", text=f"hidden {mine.group}/{mine.name}", severity="error",
                also_touch=(registered.path,), derived_from=(registered.path,),
            )


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Adds what is lacking to the package of the Configs."""
    return _config_store.add_entry(module, *finding.fix) if finding.path in finding.fix_also else None
