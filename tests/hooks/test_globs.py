"""Globs as GitHub's labeler reads them."""

from __future__ import annotations

import pytest
from torchrl_preflight.hooks.project.globs import expand, matches

HELD = [
    ("torchrl/envs/**", "torchrl/envs/libs/brax.py"),
    ("*.md", "README.md"),
    ("**/*.md", "README.md"),
    ("**/*.md", "docs/a/b.md"),
    (".github/**", ".github/workflows/lint.yml"),
    ("**", ".github/labels.yml"),
    ("!docs/**", "torchrl/a.py"),
    ("!!docs/**", "docs/a"),
    ("{docs,test}/*.py", "test/a.py"),
    ("a/**/b", "a/b"),
    ("a/**/b", "a/x/y/b"),
    ("*.!(md)", "setup.py"),
    ("@(a|b).py", "b.py"),
    ("?(a)b", "b"),
    ("+(ab)", "abab"),
    ("[ab].py", "a.py"),
    ("[!ab].py", "c.py"),
    ("[[:digit:]].py", "5.py"),
    ("[]a]", "]"),
    ("a?c", "abc"),
    ("a\\*b", "a*b"),
    ("test_{1..3}.py", "test_2.py"),
    ("{a..c}", "b"),
    ("a**b", "axxb"),
    ("{}", "{}"),
    ("**/x", "x"),
    ("a//b", "a/b"),
    ("[", "["),
    ("{a,{b,c}}", "c"),
    ("(a)", "(a)"),
]
NOT_HELD = [
    ("torchrl/envs/**", "torchrl/envs"),
    ("*.md", "docs/a.md"),
    ("!docs/**", "docs/a.md"),
    ("*.!(md)", "a.md"),
    ("[!ab].py", "a.py"),
    ("a?c", "a/c"),
    ("#README.md", "#README.md"),
    ("a/*", "a/"),
    ("a/*", "a/b/c"),
    ("a**b", "a/b"),
    ("[a-", "a"),
    ("[z-a]", "b"),
    ("{a,b}", "{a,b}"),
    ("A", "a"),
    ("[!a]", "/"),
]


@pytest.mark.parametrize(("pattern", "path"), HELD)
def test_matches(pattern: str, path: str) -> None:
    assert matches(pattern, path)


@pytest.mark.parametrize(("pattern", "path"), NOT_HELD)
def test_does_not_match(pattern: str, path: str) -> None:
    assert not matches(pattern, path)


def test_braces_are_written_out() -> None:
    assert expand("a{b,c{1..2}}d\\{e,f}") == ["abd\\{e,f}", "ac1d\\{e,f}", "ac2d\\{e,f}"]


def test_too_many_alternatives_are_cut() -> None:
    assert len(expand("{1..9999}{1..9999}")) == 1000
