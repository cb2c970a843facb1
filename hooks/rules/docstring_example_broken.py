"""An example of a public docstring that cannot be read as Python, or uses a name that nothing defines.

What it protects: the reader who copies it.

Judged are the ``>>>`` examples of public classes, their public methods and public functions. Names may come from the example
itself and from the module. Whether it runs is not judged.

Bad:

    >>> for step in range(3):
    >>>     env.step(td)

Good:

    >>> env = MyEnv()
    >>> td = env.reset()
    >>> for step in range(3):
    ...     td = env.step(td)

How to fix: continue a statement with ``...``, and import or make what the example uses.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..facts.records import Class, Function
from ..finding import Finding
from ..project import Project
from ..project.docs import docstring_of
from ._public import Subject, subjects

SUMMARY = "An example of a public docstring cannot be read, or uses undefined names"
SEVERITY = "advisory"
SECTION = "8"
CONCERNS = ("package",)
REPEATABLE = True

_SHOWN = 4


def check(change: Change) -> Iterator[Finding]:
    for item in subjects(change):
        for record, name in parts(change.project, item):
            found = docstring_of(change.project, item.path, record)
            if found is None or not (found.broken or found.unknown):
                continue
            more = f" and {len(found.unknown) - _SHOWN} more" if len(found.unknown) > _SHOWN else ""
            unknown = f"uses {', '.join(found.unknown[:_SHOWN])}{more}, which nothing defines"
            yield Finding(
                item.path,
                record.line,
                name,
                f"The example of {name} {f'cannot be read: {found.broken}' if found.broken else unknown}",
                "Continue statements with ..., and import or make what the example uses.",
                text=found.broken or " ".join(found.unknown),
            )


def parts(project: Project, item: Subject) -> Iterator[tuple[Class | Function, str]]:
    """A subject and, of a class, its public methods, each with the path that users know."""
    yield item.record, item.name
    module = project.module(item.path) if isinstance(item.record, Class) else None
    for function in module.functions if module else ():
        if function.qualname.rpartition(".")[0] == item.record.qualname and not function.name.startswith("_"):
            yield function, f"{item.name}.{function.name}"
