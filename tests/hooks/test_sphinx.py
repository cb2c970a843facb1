"""Pages as they are read here, against what a real Sphinx build of them says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

CONF = 'extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary"]\nautosummary_generate = True\ntemplates_path = ["_templates"]\n'
PACKAGE = {
    "torchrl/__init__.py": "import sys\n\nfrom torchrl import lazy\n\nsys.modules[f'{__name__}.alias'] = lazy\n",
    "torchrl/envs/__init__.py": "from torchrl.envs.common import EnvBase, reset\n\n__all__ = ['EnvBase', 'reset']\n",
    "torchrl/envs/common.py": (
        '"""Environments."""\n\n\nclass EnvBase:\n    """An environment."""\n\n    #: Documented here.\n    size = 3\n\n'
        '    def step(self):\n        """Steps."""\n        #: Set on itself.\n        self.count = 1\n\n    class Inner:\n'
        '        """Within."""\n\n\ndef reset():\n    """Resets."""\n\n\n#: A limit.\nLIMIT = 3\n'
    ),
    "torchrl/lazy/__init__.py": (
        "def __getattr__(name):\n    if name == 'Late':\n        from torchrl.lazy._late import Late\n\n        return Late\n"
        "    raise AttributeError(name)\n"
    ),
    "torchrl/lazy/_late.py": 'class Late:\n    """Comes late."""\n',
}
INDEX = """
Reference
=========

.. autosummary::

    torchrl.envs.EnvBase
    EnvBase

.. currentmodule:: torchrl.envs

.. autosummary::
    :toctree: generated/
    :template: own.rst

    EnvBase
    ~common.EnvBase
    common
    EnvBase.step
    EnvBase.size
    EnvBase.Inner
    common.LIMIT
    Envbase
    common.EnvBase.stop
    torchrl.envs.reset

.. note::

    .. autosummary::
        :nosignatures:

        reset  the rest of a line is a comment
        torchrl.lazy.Late
        torchrl.envs.common.EnvBase
        lazy.Late
        common.gone

.. currentmodule:: torchrl

.. autosummary::

    envs.reset
    alias.Late
    lazy.Later
    lazy.Late

Other
-----

.. py:currentmodule:: torchrl.envs.common

.. autosummary::

    LIMIT
    LIMITS

.. code-block:: rst

    .. autosummary::

        NotRead

.. currentmodule:: None

.. autosummary::

    torchrl
    torchrl.envs
    reset

.. currentmodule:: torchrl.envs

.. autoclass:: EnvBase
    :members:

.. autoclass:: torchrl.envs.Nothing

.. autofunction:: reset

.. autofunction:: resets

.. automethod:: EnvBase.step

.. automethod:: EnvBase.stop

.. automodule:: torchrl.envs.common

.. automodule:: torchrl.envs.nothing

.. autodata:: torchrl.envs.common.LIMIT
"""


# The generator of stub pages looks below the current module alone, and Sphinx ends on an entry that has no parent there.
STUB = """
Reference
=========

.. currentmodule:: torchrl.envs

.. autosummary::
    :toctree: generated/

    torchrl.lazy.Late
"""


def planted(repo, index: str):
    """A repository with a small torchrl and one page."""
    files = {**PACKAGE, "docs/source/conf.py": CONF, "docs/source/index.rst": index}
    repo.commit("base", {**files, "docs/source/_templates/own.rst": "{{ fullname }}\n{{ underline }}\n"})
    return repo


def build(repo, out: Path) -> subprocess.CompletedProcess[str]:
    """What a real Sphinx makes of a tree's pages."""
    return subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-b", "text", repo.path / "docs/source", out],
        env={**os.environ, "PYTHONPATH": str(repo.path), "LC_ALL": "C", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )


def dead_entries(repo, lint) -> dict[str, int]:
    """Symbol -> line of what the rule reports."""
    found = lint(repo, "--format", "json", "--all", "--select", "docs-dead-reference").report["findings"]
    return {item["symbol"]: item["line"] for item in found}


def test_where_sphinx_fails_to_import_so_do_the_rules(empty_repo, tmp_path: Path, lint) -> None:
    repo = planted(empty_repo("tree"), INDEX)
    done = build(repo, tmp_path / "text")
    assert done.returncode == 0, done.stderr
    failed = re.findall(r"failed to import (?:\w+ )?'?([\w.]*\w)'?", done.stderr)
    dead = dead_entries(repo, lint)
    text = INDEX.splitlines()
    assert len(failed) > 10
    # Sphinx names what it failed on with or without the current module: the table, the stub page, the directive.
    for name in failed:
        assert [symbol for symbol in dead if f".{symbol}".endswith(f".{name}") or name.endswith(f".{symbol}")], name
    for symbol, line in dead.items():
        written = text[line - 1].split("::")[-1].split()[0].lstrip("~")
        assert [name for name in failed if name == written or f".{symbol}".endswith(f".{name}")], symbol


def test_an_entry_that_ends_a_build_is_dead(empty_repo, tmp_path: Path, lint) -> None:
    repo = planted(empty_repo("tree"), STUB)
    done = build(repo, tmp_path / "text")
    assert done.returncode != 0 or "failed to import" in done.stderr
    assert dead_entries(repo, lint) == {"torchrl.lazy.Late": 10}
