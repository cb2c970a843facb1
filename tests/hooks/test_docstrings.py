"""What docstrings say, as far as no rule's tree shows it."""

from __future__ import annotations

import textwrap

import pytest
from torchrl_preflight.hooks.facts.docstrings import Docstring, docstrings


def read(text: str) -> Docstring:
    """The docstring of a function with this text."""
    doc = textwrap.indent(text, "    ")
    return docstrings(f'def example():\n    r"""Does it.\n\n{doc}\n    """\n'.encode()).found[0]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (">>> if True:\n...     a = 1\n>>> else:\n...     a = 2", "else:"),
        (">>> a = (1,\n>>> 2)", "a = (1,"),
        (">>> a = '''one\n>>> two'''", "a = '''one"),
        (">>> a = 1 + \\\n>>> 2", "a = 1 + \\"),
        (">>> for a in range(2):\n>>>     print(a)", "for a in range(2):"),
        (">>> @mark\n>>> def a(): pass", "@mark"),
        (">>> a = 1\n>>> )", ")"),
    ],
    ids=["else", "parenthesis", "string", "backslash", "body", "decorator", "alone"],
)
def test_each_example_is_read_by_itself(text: str, first: str) -> None:
    assert read(text).broken.startswith(f"{first!r} is no Python (")


def test_names_are_known_from_every_example() -> None:
    found = read(
        ">>> first = second\n>>> @mark\n... def third(fourth):\n...     return fifth, fourth\n>>> second = third\n"
    )
    assert (found.broken, found.unknown) == ("", ("mark", "fifth"))
