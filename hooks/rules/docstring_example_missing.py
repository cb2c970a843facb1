"""A public class whose docstring shows no use.

What it protects: the reader who wants to see the class at work before reading all of its arguments.

Configs, protocols, exceptions and enumerations need none. For functions, abstract classes and what is deprecated it is an
advisory.

Bad:

    class MyEnv(EnvBase):
        \"\"\"A grid.\"\"\"

Good:

    class MyEnv(EnvBase):
        \"\"\"A grid.

        Examples:
            >>> env = MyEnv(size=3)
            >>> env.rollout(2).shape
            torch.Size([2])
        \"\"\"

How to fix: add an example with ``>>>``. A code block without prompts is none: nothing can run it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..facts.records import Class
from ..finding import Finding
from ..project import Project
from ..project.docs import all_of
from ..project.retired import retired
from ._public import Subject, is_abstract, is_exempt, subjects

SUMMARY = "A public class or function shows no example"
SEVERITY = "warning"
SECTION = "8"
CONCERNS = ("package",)
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for item in subjects(change):
        docs = all_of(project, item.path, item.record)
        if not docs or any(found.prompts for found in docs) or is_exempt(project, item):
            continue
        block = any(found.code for found in docs)
        yield Finding(
            item.path,
            item.record.line,
            item.name,
            f"The docstring of {item.name} has {'a code block and no example with >>>' if block else 'no example'}",
            "Show one use with >>>.",
            text="no example",
            severity="" if _is_expected(project, item) else "advisory",
        )


def _is_expected(project: Project, item: Subject) -> bool:
    if not isinstance(item.record, Class) or retired(project, item.path, item.record):
        return False
    return not is_abstract(project, item)
