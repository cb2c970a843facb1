"""Facts of a GitHub workflow: events, jobs and the shell code that they run, with positions.

Read from the composed YAML nodes, so that every scalar keeps its text (``3.10`` stays "3.10") and its line.
"""

from __future__ import annotations

import re
from typing import Any

from . import shell
from .records import Failure
from .records_ci import Job, Script, Step, Trigger, Workflow

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
# What Windows runners execute unless told otherwise; shells that are not read.
_SHELLS = ("", "bash", "sh")


def workflow(data: bytes) -> Workflow:
    """Facts of a workflow's bytes; what cannot be read is a ``failure`` with its line, never an exception."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(data, loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        return _failed(what, mark.line + 1 if mark else 1, mark.column + 1 if mark else 1)
    except (RecursionError, ValueError) as error:
        return _failed(str(error).splitlines()[0], 1)
    if not isinstance(root, yaml.MappingNode):
        return _failed("not a mapping", root.start_mark.line + 1 if root else 1)
    top = _entries(root)
    jobs, lines = _entries(top.get("jobs")), _lines(top.get("jobs"))
    defaults = _entries(_entries(top.get("defaults")).get("run"))
    return Workflow(
        failure=None,
        name=_text(top.get("name")),
        triggers=_triggers(top.get("on")),
        env=_pairs(top.get("env")),
        jobs=tuple([_job(name, lines[name], node, defaults) for name, node in jobs.items()]),
    )


def _failed(message: str, line: int, column: int = 1) -> Workflow:
    return Workflow(Failure("syntax", message, line, column), "", (), (), ())


def _triggers(node: Any) -> tuple[Trigger, ...]:
    if _kind(node) == "mapping":
        found, lines = [], _lines(node)
        for event, inner in _entries(node).items():
            filters = _entries(inner)
            found.append(
                Trigger(
                    event, lines[event], *[_texts(filters.get(name)) for name in ("branches", "tags", "paths", "types")]
                )
            )
        return tuple(found)
    items = node.value if _kind(node) == "sequence" else [node] if node is not None else []
    return tuple([Trigger(_text(item), item.start_mark.line + 1, (), (), (), ()) for item in items])


def _job(name: str, line: int, node: Any, defaults: dict[str, Any]) -> Job:
    entries = _entries(node)
    inputs = _entries(entries.get("with"))
    uses = _text(entries.get("uses"))
    matrix, include, exclude, known = _matrix(_entries(entries.get("strategy")).get("matrix"))
    defaults = defaults | _entries(_entries(entries.get("defaults")).get("run"))
    if "script" in inputs and uses:
        steps = (_step(inputs["script"].start_mark.line + 1, {"run": inputs["script"]}, {}),)
    else:
        items = entries.get("steps")
        steps = tuple(
            [
                _step(item.start_mark.line + 1, _entries(item), defaults)
                for item in (items.value if _kind(items) == "sequence" else ())
            ]
        )
    return Job(
        name=name,
        line=line,
        title=_text(entries.get("name")),
        condition=_text(entries.get("if")),
        runner=_runner(entries.get("runs-on")) or _text(inputs.get("runner")),
        uses=uses,
        needs=_texts(entries.get("needs")),
        matrix=matrix,
        include=include,
        exclude=exclude,
        matrix_known=known,
        env=_pairs(entries.get("env")),
        inputs=tuple(
            [(key, value.value) for key, value in inputs.items() if _kind(value) == "scalar" and key != "script"]
        ),
        steps=steps,
    )


def _step(line: int, entries: dict[str, Any], defaults: dict[str, Any]) -> Step:
    run = entries.get("run")
    how = _text(entries.get("shell") or defaults.get("shell"))
    script, expressions, first = None, (), line
    if _kind(run) == "scalar" and (how.split(" ")[0] in _SHELLS):
        script, expressions = _code(run.value)
        first = run.start_mark.line + (2 if run.style in ("|", ">") else 1)
    return Step(
        line=line,
        name=_text(entries.get("name")),
        condition=_text(entries.get("if")),
        uses=_text(entries.get("uses")),
        script=script,
        expressions=expressions,
        first=first,
        shell=how,
        folder=_text(entries.get("working-directory") or defaults.get("working-directory")),
        env=_pairs(entries.get("env")),
    )


def _code(text: str) -> tuple[Script, tuple[str, ...]]:
    expressions: list[str] = []

    def mark(match: re.Match[str]) -> str:
        expressions.append(match[1].strip())
        return "${" + shell.VARIABLE.format(len(expressions) - 1) + "}"

    return shell.script(_EXPRESSION.sub(mark, text).encode()), tuple(expressions)


def _matrix(node: Any) -> tuple[Any, Any, Any, bool]:
    if node is None:
        return (), (), (), True
    known = _kind(node) == "mapping"
    entries = _entries(node)
    rows = {}
    for name in ("include", "exclude"):
        inner = entries.pop(name, None)
        known = known and (inner is None or _kind(inner) == "sequence")
        rows[name] = tuple([_pairs(row) for row in inner.value]) if _kind(inner) == "sequence" else ()
    axes = []
    for name, inner in entries.items():
        if _kind(inner) == "sequence":
            axes.append((name, tuple([_text(item) if _kind(item) == "scalar" else "?" for item in inner.value])))
        else:
            known = False
    return tuple(axes), rows["include"], rows["exclude"], known


def _runner(node: Any) -> str:
    if _kind(node) == "mapping":
        node = _entries(node).get("labels")
    return ", ".join(_texts(node))


def _kind(node: Any) -> str:
    return node.id if node is not None else ""


def _entries(node: Any) -> dict[str, Any]:
    if _kind(node) != "mapping":
        return {}
    return {key.value: value for key, value in node.value if _kind(key) == "scalar"}


def _lines(node: Any) -> dict[str, int]:
    """Line of each key of ``_entries``."""
    pairs = node.value if _kind(node) == "mapping" else ()
    return {key.value: key.start_mark.line + 1 for key, _ in pairs if _kind(key) == "scalar"}


def _text(node: Any) -> str:
    if _kind(node) != "scalar" or node.tag == "tag:yaml.org,2002:null":
        return ""
    return node.value


def _texts(node: Any) -> tuple[str, ...]:
    if _kind(node) == "sequence":
        return tuple([_text(item) for item in node.value])
    return (_text(node),) if _text(node) else ()


def _pairs(node: Any) -> tuple[tuple[str, str], ...]:
    return tuple([(name, value.value if _kind(value) == "scalar" else "?") for name, value in _entries(node).items()])
