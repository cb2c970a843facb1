"""Which Configs lack an entry in the package of the Configs: import, ``__all__`` and ``cs.store``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.configs import Config, classes, configs, configs_of, is_abstract, is_nested_helper, registration, target
from ..project.mro import Place, mro
from ._config_findings import is_new, verify

if TYPE_CHECKING:
    import libcst as cst

_WIDTH = 88


def unregistered(change: Change) -> Iterator[Finding]:
    """Configs that lack an entry, and entries that hide another."""
    project = change.project
    path = registration(project).path
    judged = (
        configs(project)
        if path in change.judged
        else [
            config
            for each in change.judged_under(project.profile["configs"], ".py")
            for config in configs_of(project, each)
        ]
    )
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
    checks = {
        "import": config.name in registered.imported,
        "__all__": config.name in registered.exported,
        "cs.store": stored,
    }
    return [name for name, there in checks.items() if not there]


def _finding(change: Change, config: Config, lacking: list[str]) -> Finding:
    project = change.project
    path = registration(project).path
    said = {"import": "not imported", "__all__": "not in __all__", "cs.store": "no cs.store has it as node"}
    effect = "Hydra cannot choose it" if "cs.store" in lacking else "it is not exported"
    fix = new_entry(project, config, lacking)
    return Finding(
        config.path,
        config.record.line,
        config.name,
        f"{', '.join(said[name] for name in lacking)} ({path}): {effect}",
        f"Add the {', '.join(lacking)} in {path}.",
        text="unregistered " + " ".join(lacking),
        severity="error" if is_new(change, config) else "warning",
        also_touch=(path,),
        derived_from=(path,),
        verify=verify(project, config),
        fix=fix,
        fix_also=(path,) if fix else (),
    )


def _hidden(project: Project, config: Config) -> Iterator[Finding]:
    """Entries of the store that a later one of the same group and name replaces."""
    registered = registration(project)
    for mine in registered.stored:
        if mine.node != config.name:
            continue
        later = [
            item
            for item in registered.stored
            if item.line > mine.line and item[:2] == mine[:2] and item.node != mine.node
        ]
        if later:
            yield Finding(
                config.path,
                config.record.line,
                config.name,
                f"stored as {mine.group}/{mine.name} ({registered.path}:{mine.line}), where {later[0].node} replaces it (line {later[0].line})",
                "Store one of the two under another name.",
                text=f"hidden {mine.group}/{mine.name}",
                severity="error",
                also_touch=(registered.path,),
                derived_from=(registered.path,),
            )


def new_entry(project: Project, config: Config, lacking: list[str]) -> tuple | None:
    """What ``add_entry`` needs; None where no sibling shows the group."""
    registered = registration(project)
    if "cs.store" in lacking and any(item.annotation == "object" for item in config.fields):
        return None  # OmegaConf refuses the annotation, so storing it would break every Config.
    siblings = {
        other.name
        for other in configs_of(project, config.path)
        if {link.name for link in mro(project, other.path, other.record)[1:]} & _parents(project, config)
    } - {config.name}
    groups = Counter(item.group for item in registered.stored if item.node in siblings)
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", config.name.removesuffix("Config")).lower()
    name = name.replace("tensor_dict", "tensordict")
    if "cs.store" in lacking:
        if not groups:
            return None
        group = groups.most_common(1)[0][0]
        # Siblings say where the kind of thing is left out of the name: env/gym, transform/clip.
        for suffix in ("_transform", f"_{group}"):
            name = name.removesuffix(suffix)
        if any(item[:2] == (group, name) for item in registered.stored):
            return None
    else:
        group = ""
    module = config.path.removesuffix(".py").replace("/", ".")
    return module, config.name, tuple(lacking), group, name, tuple(sorted(siblings))


def add_entry(
    module: cst.Module,
    source: str,
    name: str,
    lacking: tuple[str, ...],
    group: str,
    entry: str,
    siblings: tuple[str, ...],
) -> cst.Module | None:
    """The package's module with what is lacking."""
    import libcst as cst

    class Add(cst.CSTTransformer):
        def leave_ImportFrom(self, original: cst.ImportFrom, updated: cst.ImportFrom) -> cst.ImportFrom:
            if "import" not in lacking or _code(updated.module) != source or isinstance(updated.names, cst.ImportStar):
                return updated
            names = list(updated.names)
            at = next((at for at, item in enumerate(names) if _code(item.name) > name), len(names))
            return updated.with_changes(names=_inserted(names, at, cst.ImportAlias(cst.Name(name)), updated.lpar))

        def leave_Assign(self, original: cst.Assign, updated: cst.Assign) -> cst.Assign:
            exported = updated.value
            if (
                "__all__" not in lacking
                or _code(updated.targets[0].target) != "__all__"
                or not isinstance(exported, (cst.List, cst.Tuple))
            ):
                return updated
            elements = list(exported.elements)
            near = [at for at, item in enumerate(elements) if _code(item.value).strip("'\"") in siblings]
            at = near[-1] + 1 if near else len(elements)
            bracket = (
                exported.lbracket if isinstance(exported, cst.List) else exported.lpar[0] if exported.lpar else None
            )
            elements = _inserted(elements, at, cst.Element(cst.SimpleString(f'"{name}"')), bracket)
            return updated.with_changes(value=exported.with_changes(elements=elements))

        def leave_FunctionDef(self, original: cst.FunctionDef, updated: cst.FunctionDef) -> cst.FunctionDef:
            body = list(updated.body.body) if isinstance(updated.body, cst.IndentedBlock) else []
            stores = [
                at for at, item in enumerate(body) if f'.store(group="{group}"' in re.sub(r"\(\s+", "(", _code(item))
            ]
            if "cs.store" not in lacking or not stores:
                return updated
            caller = _code(body[stores[-1]].body[0]).partition(".store(")[0]
            body.insert(
                stores[-1] + 1,
                cst.parse_statement(
                    _laid_out(f"{caller}.store", [f'group="{group}"', f'name="{entry}"', f"node={name}"])
                ),
            )
            return updated.with_changes(body=updated.body.with_changes(body=body))

    edited = module.visit(Add())
    return None if edited.deep_equals(module) else edited


def _laid_out(callee: str, arguments: list[str]) -> str:
    """A call in a function's body as the target's formatter breaks it."""
    line = ", ".join(arguments)
    if len(f"    {callee}({line})") <= _WIDTH:
        return f"{callee}({line})"
    if len(f"        {line}") <= _WIDTH:
        return f"{callee}(\n    {line}\n)"
    return f"{callee}(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")"


def _parents(project: Project, config: Config) -> set[str]:
    return {link.name for link in mro(project, config.path, config.record)[1:2]}


def _inserted(items: list[Any], at: int, new: Any, opening: Any) -> list[Any]:
    """A comma-separated list with one more item, laid out as its neighbours; a comment stays before what follows it."""
    import libcst as cst

    commas = [item.comma for item in items[:-1] if "#" not in _code(item.comma)]
    plain = commas[-1] if commas else cst.Comma(whitespace_after=_gap(opening))
    if at == 0 or not items:
        return [new.with_changes(comma=plain) if items else new, *items]
    before = items[at - 1]
    return [*items[: at - 1], before.with_changes(comma=plain), new.with_changes(comma=before.comma), *items[at:]]


def _gap(opening: Any) -> Any:
    """What stands between two items of a list that has one only: a new line where it stands on its own."""
    import libcst as cst

    found = getattr(opening, "whitespace_after", None)
    if not isinstance(found, cst.ParenthesizedWhitespace):
        return cst.SimpleWhitespace(" ")
    return found.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=[])


def _code(node: Any) -> str:
    import libcst as cst

    return cst.Module([]).code_for_node(node).strip() if node is not None else ""
