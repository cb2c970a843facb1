"""A rule seen from outside: its constants without an import, and when it is imported."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from torchrl_preflight.hooks.profile import choose
from torchrl_preflight.hooks.rules import _find
from torchrl_preflight.hooks.tree import plain_folder

CONSTANTS = {
    "SUMMARY": "summary",
    "SEVERITY": "severity",
    "SECTION": "section",
    "CHANGE_RULE": "change_rule",
    "NEEDS": "needs",
    "CONCERNS": "concerns",
    "REPEATABLE": "repeatable",
    "LAST": "last",
    "DOCSTRINGS": "docstrings",
}
LOADED = """
import sys
from torchrl_preflight.hooks.cli import main
status = main(["--staged"])
print(status, *sorted(name.rpartition(".")[2] for name in sys.modules if ".hooks.rules." in name))
"""


@pytest.mark.parametrize("name", _find.names())
def test_constants_are_those_of_the_file(name: str) -> None:
    rule = _find.rule(name)
    module = import_module(f"torchrl_preflight.hooks.rules.{name.replace('-', '_')}")

    for constant, attribute in CONSTANTS.items():
        if hasattr(module, constant):
            assert getattr(rule, attribute) == getattr(module, constant), constant
        else:
            assert not getattr(rule, attribute), constant


@pytest.mark.parametrize("package", ["torchrl", "tensordict"])
def test_what_rules_concern_is_a_folder_or_file_of_the_profile(tmp_path: Path, package: str) -> None:
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").touch()
    profile = choose(plain_folder(tmp_path), frozenset())

    for rule in map(_find.rule, _find.names()):
        assert all(isinstance(profile[key], str) for key in (*rule.concerns, *rule.needs)), rule.name


def test_a_change_imports_no_rule_that_it_does_not_concern(repo) -> None:
    repo.commit("base", {"test/test_a.py": "def test_a():\n    pass\n"})
    (repo.path / "test/test_a.py").write_text("def test_b():\n    pass\n")
    repo.git("add", "-A")

    done = subprocess.run([sys.executable, "-c", LOADED], cwd=repo.path, capture_output=True, text=True, check=True)

    status, *loaded = done.stdout.splitlines()[-1].split()
    assert status == "0"
    assert {"gpu_marker_missing", "syntax_error"} <= set(loaded)
    assert not {"timing_in_library", "config_missing_field", "tutorial_sections", "docstring_args"} & set(loaded)
