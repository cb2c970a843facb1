"""What a warning says, rendered without running it, and which releases it names."""

from __future__ import annotations

import pytest
from torchrl_preflight.hooks.project.announcements import announcements, targets
from torchrl_preflight.hooks.project.messages import HOLE, sites
from torchrl_preflight.hooks.run import Options, open_project

HEAD = (
    "import logging\nimport warnings\nfrom warnings import warn\nlogger = logging.getLogger()\n"
    "RELEASE = '0.16'\nSAID = f'x goes in v{RELEASE}'\n"
)


@pytest.fixture
def module(tmp_path):
    """``module(body)``: a project with ``torchrl/m.py``."""

    def make(body: str):
        (tmp_path / "torchrl").mkdir()
        (tmp_path / "torchrl" / "__init__.py").write_text("")
        (tmp_path / "torchrl" / "m.py").write_text(HEAD + body)
        return open_project(Options(repo=str(tmp_path), package="torchrl", cache=False))[0]

    return make


@pytest.mark.parametrize(
    ("call", "text", "category", "logger"),
    [
        ("warnings.warn('a ' 'b', UserWarning)", "a b", "UserWarning", False),
        ("warn('a')", "a", "", False),
        ("warnings.warn(message='a', category=FutureWarning)", "a", "FutureWarning", False),
        ("warnings.warn(f'a {name} v{RELEASE}')", f"a {HOLE} v0.16", "", False),
        ("warnings.warn('a ' + name + ' b')", f"a {HOLE} b", "", False),
        ("warnings.warn('%s is %d%%' % (name, 3))", f"{HOLE} is 3%", "", False),
        ("warnings.warn('{} and {x}'.format('a', x=RELEASE))", "a and 0.16", "", False),
        ("warnings.warn(SAID)", "x goes in v0.16", "", False),
        ("warnings.warn(DeprecationWarning('a'), UserWarning)", "a", "DeprecationWarning", False),
        ("warnings.warn(name)", None, "", False),
        ("warnings.warn('a', kind)", "a", None, False),
        ("logger.warning('a %s', name)", "a %s", "", True),
        ("logging.warn('a')", "a", "", True),
    ],
    ids=str,
)
def test_forms(module, call, text, category, logger) -> None:
    found = sites(module(f"def f(name, kind):\n    {call}\n"), "torchrl/m.py")
    assert [(site.text, site.category, site.logger) for site in found] == [(text, category, logger)]


@pytest.mark.parametrize(
    "call",
    [
        "warnings.filterwarnings('ignore', 'x')",
        "warnings.simplefilter('ignore')",
        "pytest.warns(UserWarning)",
        "print('warn')",
        "self.warning('x')",
        "raise_warning('x')",
    ],
)
def test_other_calls_are_no_sites(module, call) -> None:
    assert sites(module(f"def f(self):\n    {call}\n"), "torchrl/m.py") == []


def test_class_attributes_and_those_of_bases(module) -> None:
    body = (
        "class A:\n    OLD = 'a'\n\n\nclass B(A):\n    NEW = 'b'\n\n    def f(self):\n"
        "        warn(self.OLD)\n        warn(self.NEW)\n"
        "        warn(self.other)\n"
    )
    assert [site.text for site in sites(module(body), "torchrl/m.py")] == ["a", "b", None]


def test_a_helper_is_seen_where_it_is_called(module) -> None:
    body = (
        "def _deprecated(name, release='0.15', kind=DeprecationWarning):\n"
        "    warnings.warn(f'{name} goes in v{release}', kind)\n\n\n"
        "def f():\n    _deprecated('f')\n    _deprecated('g', release=RELEASE, kind=FutureWarning)\n"
    )
    found = sites(module(body), "torchrl/m.py")
    assert [(site.text, site.category) for site in found] == [
        (f"{HOLE} goes in v{HOLE}", None),
        ("f goes in v0.15", "DeprecationWarning"),
        ("g goes in v0.16", "FutureWarning"),
    ]


def test_a_helper_that_says_it_all_is_announced_once(module) -> None:
    body = "def _deprecated(name):\n    warn(f'{name} is deprecated')\n\n\ndef f():\n    _deprecated('f')\n"
    assert [item.line for item in announcements(module(body), "torchrl/m.py")] == [8]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("removed in v0.16.", ([16], True)),
        ("removed in 0.16", ([16], True)),
        ("In torchrl v0.13.0, it goes", ([13], True)),
        ("release 0.9 or version 0.10", ([9, 10], True)),
        ("works through v0.14", ([15], True)),
        ("until v0.9, this warns", ([9], True)),
        ("deprecated since v0.4.0", ([], False)),
        ("prior to v0.13 it was x", ([], False)),
        ("Currently (v0.3) as of v0.4", ([4], True)),
        ("needs gymnasium v0.29", ([], False)),
        ("in torch 0.9", ([], False)),
        ("x >= 0.10.0", ([], False)),
        ("from 0.5% on", ([], False)),
        ("a probability of 0.5", ([], False)),
        ("has been removed in v0.8", ([], False)),
        ("soon", ([], False)),
        (f"removed in v{HOLE}", ([], True)),
        (f"replaced by {HOLE}", ([], False)),
        ("use torchrl.x in v0.7", ([7], True)),
        ("v0.6.1 and v0.5", ([6, 5], True)),
        ("1.0.16 in", ([], False)),
    ],
)
def test_targets(text, expected) -> None:
    assert targets(text) == expected
