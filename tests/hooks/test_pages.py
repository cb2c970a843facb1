"""What is read from pages and docstrings, hostile ones included; the table of the public API; what a change does not cost."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from torchrl_preflight.hooks.facts.docstrings import docstrings
from torchrl_preflight.hooks.facts.rst import MAX_BYTES, rst
from torchrl_preflight.hooks.project.documented import documented, entries
from torchrl_preflight.hooks.project.dotted import UNKNOWN, resolve
from torchrl_preflight.hooks.run import Options, open_project

RULES = "public-api-undocumented,docs-dead-reference,docstring-missing,docstring-args,docs-template-missing,export-undefined"


def test_an_autosummary_as_docutils_reads_it() -> None:
    facts = rst(
        b".. currentmodule:: torchrl.a\n\nText.\n\n.. autosummary::\n   :toctree: generated/\n   :template: own.rst\n\n   ~B\n\n"
        b"   c.D   a comment\n   >>> E\n   1F\n\nAfter.\n\n.. py:currentmodule:: torchrl.g\n\n.. tip::\n\n   .. autosummary::\n\n      H\n"
    )
    first, second = facts.blocks
    assert (first.module, first.toctree, first.template, first.template_line) == ("torchrl.a", True, "own.rst", 7)
    assert first.entries == (("B", 9), ("c.D", 11))
    # The generator of stub pages does not know the second way to name a module.
    assert (second.module, second.prefix, second.toctree, second.entries) == (
        "torchrl.g",
        "torchrl.a",
        False,
        (("H", 23),),
    )


def test_directives_that_document() -> None:
    facts = rst(
        b".. module:: torchrl\n\n.. autofunction:: f(x, y=1)\n\n.. automodule:: torchrl.m\n   :members: a, b\n\n   :class:`C`\n\n"
        b".. py:class:: D\n              E\n\n.. class:: special\n\n.. autoclass:: torchrl::F\n   :members:\n"
    )
    assert [(item.directive, item.name, item.module, item.members) for item in facts.objects] == [
        ("autofunction", "f", "torchrl", ""),
        ("automodule", "torchrl.m", "torchrl", "a, b"),
        ("class", "D", "torchrl", ""),
        ("class", "E", "torchrl", ""),
        ("autoclass", "torchrl::F", "torchrl", ""),
    ]
    assert facts.roles[0].module == "torchrl.m"


def test_roles_with_their_lines() -> None:
    facts = rst(
        b":class:`A` and :class:`A`\n:meth:`~a.B.c`,\n:py:func:`a title\nof two lines <a.d>`.\n\n* :attr:`.e` :class:`!f`\n\n"
        b"  ======== =====\n  :obj:`g` text\n  ======== =====\n\n.. note:: :data:`h`\n\n``:class:`i``` :ref:`j` :class:`A`\n"
    )
    assert [(item.role, item.target, item.line) for item in facts.roles] == [
        ("class", "A", 1),
        ("class", "A", 1),
        ("meth", "a.B.c", 2),
        ("func", "a.d", 3),
        ("attr", ".e", 6),
        ("obj", "g", 9),
        ("data", "h", 12),
        ("class", "A", 14),
    ]


@pytest.mark.parametrize(
    "page",
    [
        b".. include:: /etc/passwd\n.. raw:: html\n   :file: /etc/passwd\n\n.. csv-table::\n   :file: /etc/passwd\n",
        b"\xff\xfe\x00 :class:`A`\n",
        b".. autosummary::\r\n\r\n    A\r\n    B\r\n",
        b"\xef\xbb\xbf.. currentmodule:: a\n",
        b"* " * 3000 + b"x\n",
        b".. note::\n\n" + b"".join(b"   " * depth + b".. note::\n\n" for depth in range(1, 400)),
        b".. |a| replace:: |b|\n.. |b| replace:: |a|\n\n|a| :class:`|a|`\n",
        b".. role:: class(raw)\n   :format: html\n\n:class:`x`\n",
        b".. default-role:: class\n\n`x`\n",
        b"x" * (MAX_BYTES + 1),
        b".. autosummary::\n   :template:\n   :toctree:\n\n.. currentmodule::\n.. autoclass::\n.. automodule::\n",
    ],
    ids=["files", "bytes", "crlf", "bom", "bullets", "deep", "circle", "role", "default", "large", "empty"],
)
def test_hostile_pages_are_read_or_said_not_to_be(page: bytes) -> None:
    facts = rst(page)
    assert facts.failure == "" or (facts.blocks, facts.objects, facts.roles) == ((), (), ())


def test_a_page_that_cannot_be_read_is_a_note(repo, judge) -> None:
    repo.commit("page", {"docs/source/large.rst": b"x" * (MAX_BYTES + 1)})
    assert any(
        "docs/source/large.rst was not judged" in note
        for note in judge(repo, "--all", "--select", RULES).report["notes"]
    )


ARGUMENTS = '''
class A:
    """One.

    Args:
        a (int, optional): with text: of two
            b: lines. Defaults to ``3``.
        ``c``, *d: two at once.
        e (:obj:`float` or :class:`~torch.Tensor`): Default: 1e-3.
        **f: more.
        a line that is no item

    Keyword Arguments:
        g: one more, default is "x".

    .. note::
        h: not this.

    Returns:
        i: nor that.
    """

    def __init__(self):
        r"""Two.

        Parameters
        ----------
        j : int
            In another style.
        """

    def _private(self):
        """Three.

        Args:
            k: nobody reads it.
        """
'''


def test_arguments_of_docstrings() -> None:
    first, second = docstrings(ARGUMENTS.encode()).found
    assert first.items == (("a", "3"), ("c", ""), ("d", ""), ("e", "1e-3"), ("f", ""), ("g", '"x"'))
    assert "a line that is no item" in first.unread
    assert first.sections == ("args", "keyword arguments", "returns")
    assert (second.scope, second.items, second.listed) == ("A.__init__", (("j", ""),), True)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"def f(:\n",
        b'"""\xff"""',
        b'# coding: latin-1\nclass A:\n    """\xe9 :class:`B`.\n\n    >>> A()\n    """\n',
        b'class A:\r\n    """One.\r\n\r\n    Args:\r\n        a: b\r\n    """\r\n',
        b'class A:\n    """Args:"""\n',
        b'class A:\n    """\n    Args:\n    :\n      :\n        : :\n    """\n',
        b"class A:\n" + b'    """' + b":a:`" * 2000 + b'"""\n',
        b'class A:\n    """\n    >>> ' + b"(" * 300 + b'\n    """\n',
    ],
)
def test_hostile_docstrings_are_read(text: bytes) -> None:
    assert docstrings(text).found is not None


@pytest.fixture
def planted(repo):
    """A package with two exports of one class, another class, and a page."""
    repo.commit(
        "package",
        {
            "torchrl/data/__init__.py": "from .boxes import Box, Lid, SIZE\n\n__all__ = ['Box', 'Lid', 'SIZE']\n",
            "torchrl/data/boxes/__init__.py": "from .box import Box, Lid, SIZE\n\n__all__ = ['Box']\n",
            "torchrl/data/boxes/box.py": (
                'SIZE = 3\n\n\nclass Box:\n    """Holds.\n\n    Args:\n        size: how many.\n\n    >>> Box(3)\n    """\n\n'
                "    def __init__(self, size):\n        self.size = size\n\n\nclass Lid:\n    pass\n"
            ),
            "docs/source/data.rst": ".. currentmodule:: torchrl\n\n.. autosummary::\n\n    data.boxes.Box\n    envs.EnvBase\n    logger\n",
        },
    )
    return repo


def test_the_table_of_the_public_api(planted, lint) -> None:
    rows = {row["name"]: row for row in json.loads(lint(planted, "public-api", "--format", "json").out)["names"]}
    assert rows["torchrl.data.Box"] == {
        "name": "torchrl.data.Box",
        "paths": ["torchrl.data.Box", "torchrl.data.boxes.Box"],
        "kind": "class",
        "definition": "Box",
        "path": "torchrl/data/boxes/box.py",
        "line": 4,
        "documented": [{"name": "torchrl.data.boxes.Box", "path": "docs/source/data.rst", "line": 5}],
        "lacks": [],
    }
    assert (rows["torchrl.data.Lid"]["documented"], rows["torchrl.data.Lid"]["lacks"]) == ([], ["docstring"])
    assert rows["torchrl.data.SIZE"]["kind"] == "value"

    text = lint(planted, "public-api").out
    assert (
        "torchrl.data.Box  [class]\n    also torchrl.data.boxes.Box\n    documented in docs/source/data.rst:5\n" in text
    )
    assert "torchrl.data.Lid  [class]\n    documented nowhere\n    docstring lacks: docstring\n" in text
    assert text.splitlines()[0] == (
        "7 public things under 8 paths; 5 classes and functions: 2 documented, 2 with a docstring that lacks nothing"
    )

    table = lint(planted, "public-api", "--format", "markdown").out
    assert "| `torchrl.data.Box` | `torchrl.data.boxes.Box` | class | docs/source/data.rst:5 |  |" in table


def test_any_path_documents_a_thing(planted) -> None:
    project = open_project(Options(repo=str(planted.path), cache=False))[0]
    assert [entry.name for entry in documented(project)["torchrl/data/boxes/box.py", "Box"]] == [
        "torchrl.data.boxes.Box"
    ]
    assert all(entry.found is not None for entry in entries(project, "docs/source/data.rst"))


def test_what_a_dotted_path_leads_to(planted) -> None:
    planted.write("torchrl/data/more.py", "from elsewhere import *\n\n\nclass A:\n    class B:\n        x = 1\n")
    planted.write("torchrl/data/free.py", "globals()['made'] = 1\n")
    project = open_project(Options(repo=str(planted.path), cache=False))[0]
    found = {
        name: "unknown" if (meant := resolve(project, name)) is UNKNOWN else "dead" if meant is None else "live"
        for name in (
            *("torchrl", "torchrl.data", "torchrl.data.boxes.box", "torchrl.data.Box", "torchrl.data.Box.size"),
            *(
                "torchrl.data.more.A.B.x",
                "torchrl.data.more.star",
                "torchrl.data.free.any",
                "torchrl.data.Box.__repr__",
            ),
            *(
                "torchrl.data.Box.other",
                "torchrl.data.box",
                "torchrl.nothing.Box",
                "torchrl.data.more.A.C",
                "torchrl..data",
            ),
        )
    }
    assert [name for name, how in found.items() if how == "unknown"] == [
        "torchrl.data.more.star",
        "torchrl.data.free.any",
        "torchrl.data.Box.__repr__",
    ]
    assert [name for name, how in found.items() if how == "dead"] == [
        "torchrl.data.Box.other",
        "torchrl.data.box",
        "torchrl.nothing.Box",
        "torchrl.data.more.A.C",
        "torchrl..data",
    ]


@pytest.mark.parametrize(
    ("path", "text", "read"),
    [
        ("test/test_more.py", "def test_more():\n    assert True\n", []),
        ("torchrl/data/boxes/box.py", None, []),
        ("docs/source/data.rst", ".. currentmodule:: torchrl\n", ["docutils"]),
    ],
    ids=["test", "body", "page"],
)
def test_a_change_that_touches_no_docstring_and_no_page_reads_none(planted, path, text, read) -> None:
    home = planted.path / path
    planted.write(path, text or home.read_text().replace("self.size = size", "self.size = int(size)"))
    planted.git("add", "--all")
    code = (
        "import sys; from torchrl_preflight.hooks.cli import main; main(['--staged', '--no-cache']);"
        "print([name for name in ('docutils', 'docstring_parser') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=planted.path, capture_output=True, text=True)
    assert done.stderr.strip().splitlines()[-1] == str(read)
