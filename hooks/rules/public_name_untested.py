"""A new public class or function that no test names.

What it protects: the feature. What no test names is broken by the next change without a signal.

Judged are public names that a change defines. Configs are swept by a test of their own, objectives have a rule of their
own; protocols, enumerations, typed dicts, dataclasses without methods and what serves only as a base have nothing to
run, and a base of a class that a test names is run by that test.

Bad: ``torchrl/envs/my_env.py`` with ``MyEnv`` in ``torchrl.envs.__all__``, and no file below ``test/`` that says
``MyEnv``.

Good: ``TestMyEnv`` in the file that tests the environments.

How to fix: extend the test file of the area; do not start a new one where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..change import Change
from ..facts.records import Class, Function, Module
from ..finding import Finding
from ..project.mentions import mentioned
from ..project.public import paths_of

SUMMARY = "A new public class or function that no test names"
SEVERITY = "warning"
SECTION = "7"
CONCERNS = ("package",)
CHANGE_RULE = True
NEEDS = ("tests",)

_HOLDS = re.compile(r"\b(dataclass|tensorclass|TensorClass)\b")
_NOTHING_TO_RUN = ("Protocol", "Enum", "IntEnum", "StrEnum", "TypedDict", "NamedTuple", "ABC")


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        # With --all every file is judged, and none but these can have something new.
        if path not in change.changed or path.startswith(
            (
                project.profile["configs"] + "/",
                project.profile["objectives"] + "/",
                project.profile["testing"] + "/",
            )
        ):
            continue
        for record in _added(change, path):
            public = paths_of(project).get((path, record.qualname))
            if not public or mentioned(project, record.name) or _was_there(change, record.name):
                continue
            if any(mentioned(project, name) for name in _children(change, record.name)):
                continue
            yield Finding(
                path,
                record.line,
                public[0],
                f"{public[0]} is new, and no test names {record.name}",
                "Test it in the file that tests its area.",
                text="untested",
            )


def _added(change: Change, path: str) -> Iterator[Class | Function]:
    """Definitions that a file's older self does not have; only these make the whole public API worth asking for."""
    module = change.project.module(path)
    old = change.before.module(change.renames.get(path, path))
    known = {item.qualname for item in (*old.functions, *old.classes)} if old else set()
    for record in (*module.classes, *module.functions) if module else ():
        if (
            "." not in record.qualname
            and record.qualname not in known
            and not record.name.startswith("_")
            and not _idle(module, record)
        ):
            yield record


def _idle(module: Module, record: Class | Function) -> bool:
    """Whether a class does nothing that a test could call: it is a base, a protocol, an enumeration, or fields alone."""
    if isinstance(record, Function):
        return False
    if any(_HOLDS.search(text) for text in (*record.bases, *[item.text for item in record.decorators])):
        return not any(item.qualname.startswith(record.qualname + ".") for item in module.functions)
    named = record.name.startswith(("Base", "Abstract")) or record.name.endswith("Base")
    return named or any(base.partition("[")[0].rpartition(".")[2] in _NOTHING_TO_RUN for base in record.bases)


def _children(change: Change, name: str) -> Iterator[str]:
    """Classes of the change that derive directly from one of a name: their tests run it."""
    for path in change.judged_under(change.project.profile["package"], ".py"):
        module = change.project.module(path)
        for item in module.classes if module else ():
            if any(base.partition("[")[0].rpartition(".")[2] == name for base in item.bases):
                yield item.name


def _was_there(change: Change, name: str) -> bool:
    """Whether the base has a definition of that name anywhere in the package: it moved, or it became public."""
    before, key = change.before, ("top-level names",)
    if key not in before.memo:
        modules = map(before.module, before.tree.paths(before.profile["package"], ".py"))
        before.memo[key] = {
            item.qualname for module in modules if module for item in (*module.classes, *module.functions)
        }
    return name in before.memo[key]
