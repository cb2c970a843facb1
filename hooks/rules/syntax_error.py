"""A Python file that does not parse.

What it protects: every other rule, and every import of the file. Nothing else can be said about
such a file, so no other rule judges it.

Bad:

    def reset(self:
        ...

Good:

    def reset(self):
        ...

How to fix: repair the statement at the line given. Files are read as the running Python reads them;
the message names its version.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from ..change import Change
from ..finding import Finding

SUMMARY = "A Python file does not parse"
SEVERITY = "error"
SECTION = ""
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    for path in change.judged:
        if not path.endswith(".py"):
            continue
        module = change.project.parsed(path)
        failure = module.failure if module is not None else None
        if failure is not None and failure.kind == "limit":
            change.project.note(f"{path} was not judged: {failure.message}")
        elif failure is not None:
            python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
            yield Finding(
                path,
                failure.line or 1,
                path.rpartition("/")[2].removesuffix(".py"),
                f"{python} cannot read this file: {failure.message}; no other rule judged it",
                "Repair the statement, then run again.",
                text=failure.message,
                column=failure.column,
                verify=f"python -m py_compile {path}",
            )
