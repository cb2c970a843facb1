"""Signatures, factories and Configs of small trees; which Configs a change concerns; the table of Configs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable

import pytest
from torchrl_preflight.hooks.facts.records import Class
from torchrl_preflight.hooks.project import Project
from torchrl_preflight.hooks.project.factories import factory
from torchrl_preflight.hooks.project.mro import Place, find, methods, mro
from torchrl_preflight.hooks.project.signatures import Signature, signature
from torchrl_preflight.hooks.project.tests import collected
from torchrl_preflight.hooks.run import Options, open_project

FOLDER = "torchrl/trainers/algorithms/configs"
RULES = "config-missing-field,config-unknown-field,config-default-differs,config-factory-drops-field,config-target-unresolved"
HEAD = "from dataclasses import dataclass, field\nfrom typing import Any\n\n\n"


@pytest.fixture
def project(repo) -> Callable[..., Project]:
    """``project(path=text, ...)``: the base tree with files, slashes written as two underscores."""

    def make(**files: str) -> Project:
        for path, text in files.items():
            repo.write(path.replace("__", "/") + ".py", textwrap.dedent(text))
        return open_project(Options(repo=str(repo.path), cache=False))[0]

    return make


def place(project: Project, dotted: str) -> Place:
    """The class or function of a dotted name."""
    found = find(project, dotted)
    assert isinstance(found, Place), found
    return found


def taken(project: Project, dotted: str) -> Signature:
    """The signature of a class."""
    return signature(*place(project, dotted))


def shown(found: Signature) -> list[tuple[str, str | None, str]]:
    """(name, default, origin) of each parameter."""
    return [(item.name, item.default, item.origin) for item in found.arguments]


def test_a_diamond_is_followed_in_c3_order(project) -> None:
    tree = project(
        torchrl__a="""
        class Root:
            def __init__(self, root=1): ...
        class Left(Root):
            def __init__(self, left=2, **kwargs):
                super().__init__(**kwargs)
        class Right(Root):
            def __init__(self, right=3, **kwargs):
                super().__init__(**kwargs)
        class Both(Left, Right):
            pass
    """
    )
    assert [link.name for link in mro(*place(tree, "torchrl.a.Both"))] == ["Both", "Left", "Right", "Root"]
    assert shown(taken(tree, "torchrl.a.Both")) == [
        ("left", "2", "own"),
        ("right", "3", "forwarded"),
        ("root", "1", "forwarded"),
    ]
    assert taken(tree, "torchrl.a.Both").open == ""


def test_methods_of_a_class_that_tests_inherit(project) -> None:
    tree = project(
        torchrl__a="""
        class Checks:
            def test_one(self): ...
            def run(self): ...
    """,
        test__test_a="""
        from torchrl.a import Checks
        class TestIt(Checks):
            def test_two(self): ...
    """,
    )
    assert [test.symbol for test in collected(tree, "test/test_a.py")] == ["TestIt::test_two", "TestIt::test_one"]
    assert list(methods(tree, "torchrl/a.py")) == ["Checks.test_one", "Checks.run"]


def test_names_passed_beside_the_rest_are_taken(project) -> None:
    tree = project(
        torchrl__a="""
        class Base:
            def __init__(self, first, second=None, *, third=None): ...
        class Child(Base):
            def __init__(self, **kwargs):
                super().__init__(1, third=2, **kwargs)
    """
    )
    found = taken(tree, "torchrl.a.Child")
    assert shown(found) == [("second", "None", "forwarded")]
    assert found.taken == ("third",)


@pytest.mark.parametrize(
    ("body", "open_", "names"),
    [
        ("pass", "Open.__init__ lets what is left of **rest vanish", []),
        ("build(**rest)", "Open.__init__ passes **rest to build", []),
        ("self.rest = rest", "Open.__init__ uses **rest as data", []),
        ("self.a = rest.pop('a', 1)\n        if rest:\n            raise TypeError(rest)", "", ["a"]),
        ("self._take(rest)\n        if rest:\n            raise TypeError(rest)", "", ["b"]),
        (
            "for key in ('a', 'c'):\n            rest.pop(key, None)\n        if len(rest) > 0:\n            raise TypeError",
            "",
            ["a", "c"],
        ),
        ("self.a = rest['a']\n        other(**rest)", "Open.__init__ passes **rest to other", ["a"]),
    ],
)
def test_the_rest_of_the_keywords(project, body: str, open_: str, names: list[str]) -> None:
    tree = project(
        torchrl__a=f"class Open:\n    def __init__(self, **rest):\n        {body}\n"
        "    def _take(self, options):\n        self.b = options.pop('b', None)\n"
    )
    found = taken(tree, "torchrl.a.Open")
    assert [item.name for item in found.arguments] == names
    assert found.open == open_


def test_a_dataclass_takes_its_fields(project) -> None:
    tree = project(
        torchrl__a="""
        from dataclasses import KW_ONLY, dataclass, field
        from typing import ClassVar

        @dataclass
        class Parent:
            size: int = 1
            kind: ClassVar[str] = "x"
        @dataclass
        class Child(Parent):
            size: int = 2
            made: list = field(default_factory=list)
            hidden: int = field(init=False, default=3)
            _: KW_ONLY
            last: int = field(default=4)
    """
    )
    found = taken(tree, "torchrl.a.Child")
    assert shown(found) == [
        ("size", "2", "field"),
        ("made", "field(default_factory=list)", "field"),
        ("last", "4", "field"),
    ]
    assert [item.kind for item in found.arguments] == ["", "", "k"]


def test_what_the_metaclass_takes_comes_last(project) -> None:
    tree = project(
        torchrl__a="""
        def _options(given):
            return given.pop("fast", False)
        class Meta(type):
            def __call__(cls, *args, workers=1, **kwargs):
                kwargs.pop("locked", True)
                if kwargs.get("size") is None:
                    kwargs["size"] = 1
                _options(kwargs)
                return super().__call__(*args, **kwargs)
        class Base:
            def __init__(self, size=None, locked=None): ...
        class Child(Base, metaclass=Meta):
            def __init__(self, **kwargs):
                super().__init__(**kwargs)
    """
    )
    assert shown(taken(tree, "torchrl.a.Child")) == [
        ("size", "None", "forwarded"),
        ("locked", "True", "metaclass"),
        ("workers", "1", "metaclass"),
        ("fast", "False", "metaclass"),
    ]


def test_a_base_that_is_nowhere_leaves_the_signature_open(project) -> None:
    tree = project(torchrl__a="import nowhere\nclass Child(nowhere.Base):\n    pass\n")
    assert taken(tree, "torchrl.a.Child").open == "nowhere.Base cannot be read here"


@pytest.mark.parametrize("bases", ["Loop", "Other"])
def test_classes_in_a_circle(project, bases: str) -> None:
    tree = project(torchrl__a=f"class Loop({bases}):\n    pass\nclass Other(Loop):\n    pass\n")
    assert isinstance(place(tree, "torchrl.a.Loop").record, Class)
    assert shown(taken(tree, "torchrl.a.Loop")) == []


def test_ways_through_a_factory(project) -> None:
    tree = project(
        torchrl__a="""
        class One: ...
        class Two: ...
        def _make(*args, **kwargs) -> One:
            kwargs.pop("ignored", None)
            kept = kwargs.pop("kept")
            unread = kwargs.pop("unread", 3)
            if kwargs.pop("two", False):
                return Two(**kwargs)
            kind = kwargs.pop("kind", "a")
            if kind == "a":
                made = One(kept=kept)
            elif kind == "b":
                made = One(kind=kind, **kwargs)
            else:
                raise ValueError(kind)
            made = made.prepared()
            return made
    """
    )
    found = factory(place(tree, "torchrl.a._make"))
    ways = [
        (
            way.result.target.record.name,
            way.result.rest,
            sorted(way.result.passed),
            sorted(way.removed),
            sorted(way.discarded),
        )
        for way in found.ways
    ]
    assert ways == [
        ("Two", True, [], ["ignored", "kept", "two", "unread"], ["ignored"]),
        ("One", False, ["kept"], ["ignored", "kept", "kind", "two", "unread"], ["ignored"]),
        ("One", True, ["kind"], ["ignored", "kept", "kind", "two", "unread"], ["ignored"]),
    ]
    assert ["unread" in way.read for way in found.ways] == [False, False, False]
    assert [[(item.key, item.value, item.holds) for item in way.conditions] for way in found.ways][2] == [
        ("", None, False),
        ("kind", "a", False),
        ("kind", "b", True),
    ]
    assert found.defaults == {"ignored": "None", "kept": None, "unread": "3", "two": "False", "kind": "'a'"}


CLASS = "class Thing:\n    def __init__(self, size=1{}):\n        self.size = size\n"
CONFIG = HEAD + (
    '@dataclass\nclass ThingConfig:\n    size: int = 1\n{}    _target_: str = "torchrl.things.Thing"\n\n\n'
    '@dataclass\nclass OldConfig:\n    _target_: str = "torchrl.things.Thing"\n'
)


@pytest.fixture
def things(repo):
    """A repository with a class, its Config, and a Config with an old gap."""
    repo.commit(
        "things",
        {"torchrl/things.py": CLASS.format(""), f"{FOLDER}/__init__.py": "", f"{FOLDER}/things.py": CONFIG.format("")},
    )
    return repo


def found(outcome) -> list[tuple[str, int, str, str]]:
    """(rule, line, symbol) of each finding."""
    return [(item["rule"], item["line"], item["symbol"]) for item in outcome.report["findings"]]


def test_a_changed_class_judges_its_configs(things, judge) -> None:
    things.write("torchrl/things.py", CLASS.format(", *, seed=None"))
    outcome = judge(things, "--base", "HEAD", "--select", RULES)
    assert found(outcome) == [
        ("config-missing-field", 6, "ThingConfig.seed"),
        ("config-missing-field", 12, "OldConfig.seed"),
    ]
    assert outcome.status == 1


def test_paths_keep_a_finding_by_the_class_that_it_comes_from(things, judge) -> None:
    things.write("torchrl/things.py", CLASS.format(", *, seed=None"))
    assert len(found(judge(things, "--base", "HEAD", "--select", RULES, "torchrl/things.py"))) == 2
    assert found(judge(things, "--base", "HEAD", "--select", RULES, "torchrl/__init__.py")) == []


def test_a_changed_config_is_judged_and_its_old_gaps_are_not_new(things, judge) -> None:
    things.write(f"{FOLDER}/things.py", CONFIG.format("    extra: int = 1\n"))
    assert found(judge(things, "--base", "HEAD", "--select", RULES)) == [
        ("config-unknown-field", 8, "ThingConfig.extra")
    ]


@pytest.mark.parametrize(
    "text",
    [
        CLASS.format("") + "\n\ndef helper():\n    return 1\n",
        "# A comment.\n" + CLASS.format(""),
    ],
)
def test_a_change_of_something_else_in_the_file_finds_nothing(things, judge, text: str) -> None:
    things.write("torchrl/things.py", text)
    assert found(judge(things, "--base", "HEAD", "--select", RULES)) == []


def test_a_class_that_goes_leaves_its_configs_behind(things, judge) -> None:
    (things.path / "torchrl/things.py").unlink()
    assert found(judge(things, "--base", "HEAD", "--select", RULES)) == [
        ("config-target-unresolved", 8, "ThingConfig"),
        ("config-target-unresolved", 13, "OldConfig"),
    ]


def test_a_new_parameter_names_every_place_that_it_needs(things, judge) -> None:
    things.write("docs/source/reference/config.rst", "Configs\n=======\n")
    things.commit()
    things.write(
        "torchrl/things.py", CLASS.format(", *, seed=None").replace("    def", '    """A thing."""\n\n    def', 1)
    )
    assert judge(things, "--base", "HEAD", "--select", RULES).report["findings"][0]["also_touch"] == [
        f"{FOLDER}/__init__.py (import, __all__ and cs.store)",
        f"{FOLDER}/things.py:6 (docstring: Hydra configuration for Thing)",
        "torchrl/things.py:1 (docstring: See also ThingConfig)",
        "docs/source/reference/config.rst",
    ]


def test_a_missing_field_comes_with_its_patch(things, judge) -> None:
    things.write("torchrl/things.py", CLASS.format(", *, seed: int = 7"))
    assert (
        judge(things, "--base", "HEAD", "--select", RULES).report["findings"][0]["edit"]["patch"]
        == textwrap.dedent(f"""\
        --- a/{FOLDER}/things.py
        +++ b/{FOLDER}/things.py
        @@ -5,6 +5,7 @@
         @dataclass
         class ThingConfig:
             size: int = 1
        +    seed: int = 7
             _target_: str = "torchrl.things.Thing"
    """)
        + " \n \n"
    )


def test_two_references_are_one_patch_of_two_files(repo, judge) -> None:
    docs = {
        "torchrl/things.py": 'class Thing:\n    """A thing."""\n',
        f"{FOLDER}/__init__.py": "",
        f"{FOLDER}/things.py": HEAD
        + '@dataclass\nclass ThingConfig:\n    """A Config."""\n\n    _target_: str = "torchrl.things.Thing"\n',
    }
    repo.commit("things", docs)
    patch = judge(repo, "--all", "--diff", "--select", "config-cross-reference").out
    assert [line for line in patch.splitlines() if line[:3] in ("---", "+++") or line[:1] == "+"] == [
        "--- a/torchrl/things.py",
        "+++ b/torchrl/things.py",
        '+    """A thing.',
        "+",
        "+    See also :class:`~torchrl.trainers.algorithms.configs.things.ThingConfig`.",
        '+    """',
        f"--- a/{FOLDER}/things.py",
        f"+++ b/{FOLDER}/things.py",
        '+    """A Config.',
        "+",
        "+    Hydra configuration for :class:`~torchrl.things.Thing`.",
        '+    """',
    ]


def test_a_tree_without_configs_has_nothing_to_judge(repo, judge) -> None:
    outcome = judge(repo, "--base", "HEAD", "--all", "--select", "config-missing-field")
    assert outcome.report["notes"] == [f"nothing to judge for config-missing-field: this tree has no {FOLDER}"]


# The table

TABLE = HEAD + textwrap.dedent("""\
    @dataclass
    class GoodConfig:
        size: int = 1
        _target_: str = "torchrl.things.Thing"


    @dataclass
    class BadConfig:
        depth: int = 1
        _target_: str = "torchrl.things.Thing"


    @dataclass
    class GoneConfig:
        _target_: str = "torchrl.things.Gone"


    @dataclass
    class FarConfig:
        _target_: str = "nowhere.Thing"
""")
INIT = 'def _register():\n    cs.store(group="thing", name="good", node=GoodConfig)\n'
ALLOWED = '_CONFIG_PARITY_KNOWN_GAPS = frozenset({"BadConfig", "GoodConfig", "NoConfig"})\n'


@pytest.fixture
def table(repo):
    """A repository with four Configs and a list of those that may differ."""
    repo.commit(
        "things",
        {
            "torchrl/things.py": CLASS.format(""),
            f"{FOLDER}/__init__.py": INIT,
            f"{FOLDER}/things.py": TABLE,
            "test/test_configs.py": ALLOWED,
        },
    )
    return repo


def test_the_table_as_text(table, lint) -> None:
    assert lint(table, "configs").out == textwrap.dedent("""\
        config      class                               group/name
        GoodConfig  Thing                               thing/good
        BadConfig   Thing                               -
            missing: size
            unknown: depth
        GoneConfig  torchrl.things.Gone does not exist  -
        FarConfig   nowhere.Thing (not read)            -

        4 Configs, 2 of them without an error; errors: 1 missing, 1 unknown, 0 differs, 0 dropped.
        In parentheses: advisories. A name with ! is a warning.
        2 of the 3 entries of _CONFIG_PARITY_KNOWN_GAPS (test/test_configs.py) are no longer needed:
          GoodConfig: every parameter has a field
          NoConfig: there is no such Config
    """)


def test_the_table_as_markdown(table, lint) -> None:
    lines = lint(table, "configs", "--format", "markdown").out.splitlines()
    assert lines[:4] == [
        "| config | class | group/name | missing | unknown | differs | dropped |",
        "|---|---|---|---|---|---|---|",
        "| `GoodConfig` | Thing | thing/good | - | - | - | - |",
        "| `BadConfig` | Thing | - | size | depth | - | - |",
    ]
    assert lines[-2:] == ["- `GoodConfig`: every parameter has a field", "- `NoConfig`: there is no such Config"]


def test_the_table_as_json(table, lint) -> None:
    listing = json.loads(lint(table, "configs", "--format", "json").out)
    assert [row["config"] for row in listing["configs"]] == ["GoodConfig", "BadConfig", "GoneConfig", "FarConfig"]
    bad = listing["configs"][1]
    assert (bad["path"], bad["line"], bad["classes"], bad["stored"]) == (f"{FOLDER}/things.py", 12, ["Thing"], [])
    assert [(item["name"], item["severity"]) for item in bad["missing"]] == [("size", "error")]
    assert [row["unresolved"] for row in listing["configs"]] == [False, False, True, False]
    assert listing["configs"][3]["unread"] == "nowhere is not installed here"
    assert listing["allowlist"] == {
        "path": "test/test_configs.py",
        "entries": 3,
        "needless": [
            {"name": "GoodConfig", "why": "every parameter has a field"},
            {"name": "NoConfig", "why": "there is no such Config"},
        ],
    }


def test_no_configs_at_all(repo, lint) -> None:
    outcome = lint(repo, "configs")
    assert (outcome.status, outcome.out) == (0, f"no Configs: this tree has no {FOLDER}\n")


def test_a_note_says_whose_classes_could_not_be_read(things, judge) -> None:
    things.write(
        f"{FOLDER}/far.py",
        HEAD
        + (
            'from nowhere.nn import Module\n\n\n@dataclass\nclass FarConfig:\n    _target_: str = "nowhere.Thing"\n\n\n'
            f'@dataclass\nclass MadeConfig:\n    size: int = 1\n    _target_: str = "{FOLDER.replace("/", ".")}.far._make"\n\n\n'
            "def _make(*args, **kwargs):\n    return Module(**kwargs)\n"
        ),
    )
    outcome = judge(things, "--base", "HEAD", "--select", "config-target-unresolved")
    assert outcome.report["notes"] == [
        "nowhere is not installed here: 2 Configs of its classes were not compared with them"
    ]
    assert found(outcome) == []
