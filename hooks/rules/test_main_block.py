"""A new test file does not end with a block that runs it.

What it protects: ``python test/test_x.py``, which is how people run one file under a debugger or a profiler.

Only files that a change adds are judged. Helpers and ``conftest.py`` need no block. A definition after the block is
never seen by it, so that is an error as well.

Bad:

    def test_reset():
        ...

Good:

    def test_reset():
        ...


    if __name__ == "__main__":
        args, unknown = argparse.ArgumentParser().parse_known_args()
        pytest.main([__file__, "--capture", "no", "--exitfirst"] + unknown)

How to fix: put the block at the very end.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from ..project.tests import is_test_file
from ._imports import with_import

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A new test file does not end with a main block that calls pytest.main"
SEVERITY = "error"
SECTION = "7"
CHANGE_RULE = True
NEEDS = ("tests",)

_BLOCK = """if __name__ == "__main__":
    args, unknown = argparse.ArgumentParser().parse_known_args()
    pytest.main([__file__, "--capture", "no", "--exitfirst"] + unknown)
"""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["tests"], ".py"):
        module = (
            project.module(path) if is_test_file(path, project.profile["tests"]) and change.is_new_file(path) else None
        )
        if module is None or not (module.functions or module.classes):
            continue
        message, fix = _judge(ast.parse(project.text(path)).body)
        if message:
            yield Finding(
                path,
                module.lines,
                path.rpartition("/")[2].removesuffix(".py"),
                message,
                'End the file with if __name__ == "__main__": and pytest.main([__file__, ...]).',
                text="main block",
                verify=f"python {path} --collect-only",
                fix=fix,
            )


def _judge(body: list[ast.stmt]) -> tuple[str, tuple | None]:
    blocks = [at for at, node in enumerate(body) if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)]
    if not blocks:
        return "This new test file has no main block, so python cannot run it as a file", ()
    block = body[blocks[-1]]
    if "pytest.main" not in ast.unparse(block):
        return f"The main block (line {block.lineno}) does not call pytest.main", None
    after = next((node for node in body[blocks[-1] + 1 :] if isinstance(node, _DEFINITIONS)), None)
    if after is not None:
        return f"{after.name} (line {after.lineno}) comes after the main block, which does not see it", None
    return "", None


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Appends the block and what it imports."""
    import libcst as cst

    if "__main__" in module.code:
        return None
    block = cst.parse_statement(_BLOCK, module.config_for_parsing)
    blank = cst.EmptyLine(indent=False)
    module = module.with_changes(
        body=[*module.body, block.with_changes(leading_lines=[*module.footer, blank, blank])], footer=[]
    )
    return with_import(with_import(module, "import pytest"), "import argparse", first=True)
