"""The two references between the docstrings of a Config and its class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..change import Change
from ..concrete import change_definition
from ..finding import Finding
from ..project import Project
from ..project.configs import Config, classes, is_abstract, refers_to, registration
from ..project.mro import Place, find
from ._config_findings import concerned, derived, is_new

if TYPE_CHECKING:
    import libcst as cst


def unreferenced(change: Change) -> Iterator[Finding]:
    """Configs that do not name their class, or are not named by it."""
    for config in concerned(change):
        if config.target and (finding := _judge(change, config)):
            yield finding


def _judge(change: Change, config: Config) -> Finding | None:
    project = change.project
    built = classes(project, config)
    if not built:
        return None
    ours = [place for place in built if place.project is project]
    names = " or ".join(dict.fromkeys(place.record.name for place in built))
    forward = refers_to(project, config.path, config.record, {place.record.name for place in built})
    back = not ours or any(config.record.name in place.record.configs for place in ours)
    if forward and back:
        return None
    said = [] if forward else [f"this docstring has no :class: role to {names}"]
    said += (
        []
        if back
        else [
            f"the docstring of {ours[0].record.name} ({ours[0].path}:{ours[0].record.line}) has none to {config.name}"
        ]
    )
    fix = new_references(project, config, built[0], forward, back)
    also = () if back else (ours[0].path,)
    return Finding(
        config.path,
        config.record.line,
        config.name,
        ", and ".join(said),
        "Write " + ", and ".join(wording(project, config, built[0], forward, back)) + ".",
        text=f"{'' if forward else 'class '}{'' if back else 'config'}",
        severity="error" if is_new(change, config) and not is_abstract(built[0]) else "warning",
        also_touch=tuple(path for path in also if path != config.path),
        derived_from=derived(project, config),
        fix=fix,
        fix_also=tuple(path for path in also if path != config.path),
    )


def wording(project: Project, config: Config, place: Place, forward: bool, back: bool) -> list[str]:
    """What is to be written, and where."""
    said = [] if forward else [f'"{_to_class(project, place)}" here']
    return said if back else [*said, f'"{_to_config(project, config)}" in the docstring of {place.record.name}']


def new_references(project: Project, config: Config, place: Place, forward: bool, back: bool) -> tuple | None:
    """What ``add_references`` needs: (path, class, sentence) for each docstring; None where a class has none."""
    edits = []
    if not forward:
        edits.append((config.path, config.record.qualname, _to_class(project, place)))
    if not back and place.project is project and place.record.doc:
        edits.append((place.path, place.record.qualname, _to_config(project, config)))
    return tuple(edits) or None


def add_references(module: cst.Module, path: str, edits: tuple) -> cst.Module | None:
    """The module with the sentences that belong in this file."""
    changed = False
    for where, qualname, sentence in edits:
        if where == path:
            edited = change_definition(module, qualname, 0, lambda node, sentence=sentence: _documented(node, sentence))
            module, changed = edited or module, changed or edited is not None
    return module if changed else None


def _to_class(project: Project, place: Place) -> str:
    return f"Hydra configuration for :class:`~{public_path(project, place)}`."


def _to_config(project: Project, config: Config) -> str:
    folder = project.profile["configs"].replace("/", ".")
    module = (
        ""
        if config.name in registration(project).imported
        else config.path.rpartition("/")[2].removesuffix(".py") + "."
    )
    return f"See also :class:`~{folder}.{module}{config.name}`."


def public_path(project: Project, place: Place) -> str:
    """The shortest dotted path by which a class can be named."""
    parts = place.path.removesuffix(".py").removesuffix("/__init__").split("/")
    for cut in range(1, len(parts)):
        dotted = ".".join([*parts[:cut], place.record.qualname])
        if find(place.project, dotted) == place:
            return dotted
    return ".".join([*parts, place.record.qualname])


def _documented(node: cst.ClassDef, sentence: str) -> cst.ClassDef:
    """A class with a sentence as the second paragraph of its docstring, or with one that says it alone."""
    import libcst as cst

    body = list(node.body.body)
    first = body[0] if body else None
    if _is_docstring(first):
        text = first.body[0].value.value
        if sentence.rstrip(".") in text:
            return node
        body[0] = first.with_changes(body=[cst.Expr(cst.SimpleString(_second(text, sentence)))])
    else:
        if body and hasattr(first, "leading_lines") and not first.leading_lines:
            body[0] = first.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
        body.insert(0, cst.parse_statement(f'"""{sentence}"""\n'))
    return node.with_changes(body=node.body.with_changes(body=body))


def _is_docstring(statement: Any) -> bool:
    import libcst as cst

    if not isinstance(statement, cst.SimpleStatementLine) or not isinstance(statement.body[0], cst.Expr):
        return False
    return isinstance(statement.body[0].value, cst.SimpleString)


def _second(text: str, sentence: str) -> str:
    prefix = text[: len(text) - len(text.lstrip("rRuUbB"))]
    quote = text[len(prefix) :][:3] if text[len(prefix) :].startswith(('"""', "'''")) else text[len(prefix)]
    inner = text[len(prefix) + len(quote) : -len(quote)]
    if len(quote) == 1:
        quote *= 3
    lines = inner.split("\n")
    end = next((at for at, line in enumerate(lines) if at and not line.strip()), len(lines))
    indent = "    "
    for line in lines[1:]:
        if line.strip():
            indent = line[: len(line) - len(line.lstrip())]
            break
    if end == len(lines) and not lines[-1].strip():
        end -= 1
    rest = lines[end:] if any(line.strip() for line in lines[end:]) else [indent]
    return f"{prefix}{quote}" + "\n".join([*lines[:end], "", indent + sentence, *rest]) + quote
