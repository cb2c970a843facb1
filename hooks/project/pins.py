"""Which versions of a package each file asks for: pyproject.toml, requirement files, environments, scripts and workflows."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..profile import CONFIG
from . import Project
from .bodies import lines
from .ci import ci_folder
from .optional import normal
from .pyproject import pyproject

_CLAUSE = r"(?:===?|~=|!=|<=?|>=?)\s*[\w.*+!-]+"
_REQUIREMENT = re.compile(
    rf"([A-Za-z0-9][\w.-]*)\s*(\[[\w\s,.-]*\])?\s*(\(?\s*{_CLAUSE}(?:\s*,\s*{_CLAUSE})*\s*\)?)?\s*(;.*)?\Z"
)
_CONDA = re.compile(r"(?:[\w.-]+::)?([A-Za-z0-9][\w.-]*)\s*=\s*([\d][\w.*]*)(?:=\S+)?\Z")
_INSTALLERS = re.compile(r"(?:^|[/_-])(?:pip\d*|uv|conda|mamba|micromamba)(?:$|[_-])")
_YAML = (".yml", ".yaml")
_ENVIRONMENT = re.compile(r"(?:environment|env)[\w.-]*\.ya?ml\Z")
_REQUIREMENTS = re.compile(r"(?:requirements|constraints)[\w.-]*\.(?:txt|in)\Z")


class Pin(NamedTuple):
    """One mention of a package where it is installed or required.

    Args:
        package: its normal name.
        text: as it stands there.
        clauses: what the version must meet, in their order; empty where any will do.
        where: the extra, dependency group or job; "" elsewhere.
        marker: of the environment; it makes the constraint one of several.
    """

    package: str
    text: str
    clauses: tuple[str, ...]
    path: str
    line: int
    where: str = ""
    marker: str = ""


def pins(project: Project, path: str) -> list[Pin]:
    """Every mention in one file, in its order; empty for a file of another kind, and for one that cannot be read."""
    key = ("pins", path)
    if key not in project.memo:
        project.memo[key] = sorted(_read(project, path), key=lambda pin: (pin.line, pin.package))
    return project.memo[key]


def pinning(project: Project) -> list[str]:
    """The files of the tree that may mention packages."""
    workflows, folder = project.profile["workflows"], ci_folder(project) + "/"
    return [
        path
        for path in project.tree.paths()
        if path == CONFIG
        or _REQUIREMENTS.search(path)
        or _ENVIRONMENT.search(path)
        or (path.endswith(".sh") and path.startswith(folder))
        or (path.endswith(_YAML) and posixpath.dirname(path) == workflows)
    ]


def constraint(pin: Pin) -> frozenset[str]:
    """What a pin asks for, so that two ways to write it are equal."""
    return frozenset(re.sub(r"(?:\.0)+\Z", "", clause) for clause in pin.clauses)


def _read(project: Project, path: str) -> Iterator[Pin]:
    name = posixpath.basename(path)
    if path == CONFIG:
        yield from _of_pyproject(project)
    elif _REQUIREMENTS.search(name):
        yield from _of_requirements(project, path)
    elif path.endswith(".sh"):
        script = project.script(path)
        if script and script.opaque:
            project.note(f"{path}:{script.opaque[0]}: not all of it could be read as a shell script")
        yield from _of_script(script.body, path, lines(project, path), 0) if script else ()
    elif posixpath.dirname(path) == project.profile["workflows"]:
        workflow = project.workflow(path)
        if workflow and workflow.failure:
            project.note(f"{path}:{workflow.failure.line}: not read as a workflow: {workflow.failure.message}")
        for job in workflow.jobs if workflow else ():
            for step in job.steps:
                if step.script:
                    for pin in _of_script(step.script.body, path, lines(project, path), step.first - 1):
                        yield pin._replace(where=job.name)
    elif path.endswith(_YAML):
        yield from _of_environment(project, path)


def _pin(text: str, path: str, line: int, where: str = "", conda: bool = False) -> Pin | None:
    match = _REQUIREMENT.match(text.strip())
    if match:
        clauses = tuple(re.sub(r"\s+", "", clause) for clause in re.findall(_CLAUSE, match[3] or ""))
        return Pin(normal(match[1]), text.strip(), clauses, path, line, where, (match[4] or "").strip("; "))
    match = _CONDA.match(text.strip()) if conda else None
    return Pin(normal(match[1]), text.strip(), (f"=={match[2]}",), path, line, where) if match else None


def _of_pyproject(project: Project) -> Iterator[Pin]:
    tables = pyproject(project)
    table = tables.get("project")
    table = table if isinstance(table, dict) else {}
    groups = {"build": _get(tables, "build-system", "requires"), "": table.get("dependencies")}
    for where, extras in (("extra ", table.get("optional-dependencies")), ("group ", tables.get("dependency-groups"))):
        groups |= {where + name: listed for name, listed in extras.items()} if isinstance(extras, dict) else {}
    text = lines(project, CONFIG)
    for where, listed in groups.items():
        for item in listed if isinstance(listed, list) else ():
            if isinstance(item, str) and (pin := _pin(item, CONFIG, _row(text, where, item), where)):
                yield pin


def _row(text: list[str], where: str, item: str) -> int:
    """The line of a requirement: the first one that quotes it, from where its extra or group begins."""
    head = re.compile(rf"""\s*["']?{re.escape(where.partition(" ")[2])}["']?\s*=\s*\[""")
    start = next((number for number, row in enumerate(text) if " " in where and head.match(row)), 0)
    quoted = (f'"{item}"', f"'{item}'")
    return next((number for number, row in enumerate(text[start:], start + 1) if any(map(row.__contains__, quoted))), 1)


def _get(tables: Any, *keys: str) -> Any:
    for key in keys:
        tables = tables.get(key) if isinstance(tables, dict) else None
    return tables


def _of_requirements(project: Project, path: str) -> Iterator[Pin]:
    for number, row in enumerate(lines(project, path), 1):
        text = re.sub(r"(^|\s)#.*", "", row).strip().rstrip("\\").partition(" --")[0].strip()
        if text and text[0] not in "-./" and (pin := _pin(text, path, number)):
            yield pin


def _of_environment(project: Project, path: str) -> Iterator[Pin]:
    import yaml

    text = project.text(path)
    try:
        root = yaml.compose(text or "", getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        project.note(f"{path}: not read as an environment: {str(error).splitlines()[0]}")
        return
    if text is None:
        project.note(f"{path}: not read as an environment: it is no text")
    entries = root.value if isinstance(root, yaml.MappingNode) else ()
    for key, value in entries:
        if getattr(key, "value", None) == "dependencies" and isinstance(value, yaml.SequenceNode):
            for item in value.value:
                if isinstance(item, yaml.MappingNode):
                    below = [
                        node for _, inner in item.value if isinstance(inner, yaml.SequenceNode) for node in inner.value
                    ]
                else:
                    below = [item]
                for node in below:
                    if isinstance(node, yaml.ScalarNode):
                        pin = _pin(node.value, path, node.start_mark.line + 1, conda=below == [item])
                        if pin:
                            yield pin


def _of_script(body: Any, path: str, text: list[str], before: int) -> Iterator[Pin]:
    for line, words in _commands(body):
        literal = [word for word in words if isinstance(word, str)]
        if not any(map(_INSTALLERS.search, literal[:4])) or "install" not in " ".join(literal):
            continue
        conda = any("conda" in word or "mamba" in word for word in literal[:4])
        at = before + line
        start = next(position for position, word in enumerate(literal) if "install" in word) + 1
        skip = False
        for word in literal[start:]:
            skip, value = word.startswith("-") and "=" not in word and word in _VALUED, skip
            pin = None if value or word.startswith("-") or "/" in word else _pin(word, path, at, conda=conda)
            if pin:
                yield pin._replace(line=_line(text, at, word))


_VALUED = frozenset(
    (
        "-r",
        "-c",
        "-i",
        "-f",
        "-t",
        "-n",
        "-p",
        "-e",
        "--requirement",
        "--constraint",
        "--index-url",
        "--extra-index-url",
    )
    + (
        "--find-links",
        "--target",
        "--channel",
        "--name",
        "--python",
        "--progress-bar",
        "--root-user-action",
        "--editable",
    )
)
"""Options whose next word is no package."""


def _line(text: list[str], start: int, word: str) -> int:
    """The line of a word in a command that goes on over several."""
    for number in range(start, min(start + 200, len(text) + 1)):
        row = text[number - 1]
        if word in row:
            return number
        if not row.rstrip().endswith("\\"):
            break
    return start


def _commands(node: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """(line, words) of every simple command, wherever it stands."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, tuple) or not node:
            continue
        if node[0] == "cmd":
            yield node[1], node[3]
        waiting += reversed([part for part in node if isinstance(part, tuple)])
