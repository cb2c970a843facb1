"""The public API of small trees, shape by shape."""

from __future__ import annotations

import pytest
from torchrl_preflight.hooks.project.public import find, paths_of, place, public
from torchrl_preflight.hooks.run import Options, open_project


@pytest.fixture
def project(tmp_path):
    """``project(files)``: a tree that holds these files and nothing else of the package."""

    def make(files: dict[str, str]):
        for path, text in {"torchrl/__init__.py": "", **files}.items():
            target = tmp_path / "tree" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        return open_project(Options(repo=str(tmp_path / "tree"), package="torchrl", cache=False))[0]

    return make


def meant(found) -> dict[str, tuple[str, str]]:
    return {path: (item.path, item.name) for path, item in public(found).items()}


A = (
    "class A:\n    def run(self):\n        return 1\n\n\nclass B(A):\n    pass\n\n\ndef f(x):\n"
    "    return x\n\n\n_hidden = 1\nLIMIT = 2\n"
)


def test_all_decides(project) -> None:
    found = project(
        {"torchrl/x/__init__.py": "from .a import A, B, f\n__all__ = ['A', '_hidden']\n", "torchrl/x/a.py": A}
    )
    assert meant(found) == {"torchrl.x.A": ("torchrl/x/a.py", "A")}


def test_without_all_what_is_bound_to_things_of_the_tree(project) -> None:
    text = (
        "from __future__ import annotations\nimport os\nfrom typing import Any\n"
        "from .a import A, _hidden\nfrom . import a\nLIMIT = 3\n"
    )
    found = project({"torchrl/x/__init__.py": text, "torchrl/x/a.py": A})
    assert meant(found) == {
        "torchrl.x.A": ("torchrl/x/a.py", "A"),
        "torchrl.x.LIMIT": ("torchrl/x/__init__.py", "LIMIT"),
    }


def test_packages_with_an_underscore_promise_nothing(project) -> None:
    found = project({"torchrl/_x/__init__.py": "from .a import A\n__all__ = ['A']\n", "torchrl/_x/a.py": A})
    assert meant(found) == {}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("from .a import *\n", ["A", "B", "LIMIT", "f"]),
        ("from .a import A, B, f\n__all__ = ['A']\n__all__ += ['f']\n", ["A", "f"]),
        ("from .a import A, B, f\n_MORE = ('B',)\n__all__ = ['A', *_MORE]\n", ["A", "B"]),
        ("from .a import A, B, f\n_T = {'A': 1}\n__all__ = sorted(_T) + ['f']\n", ["A", "f"]),
        ("from . import b\nfrom .b import *\n__all__ = b.__all__ + ['B']\nfrom .a import B\n", ["A", "B"]),
        ("from .b import __all__ as more\nfrom .b import A\n__all__ = [*more]\n", ["A"]),
        ("from .a import A\n__all__ = ['A', 'missing']\n", ["A"]),
        ("from .a import A\n__all__ = compute()\n", ["A"]),
        ("from .a import A\n__all__ = []\n", []),
    ],
    ids=["star", "added to", "starred constant", "table", "of a module", "imported", "missing", "computed", "empty"],
)
def test_lists_of_exports(project, text, names) -> None:
    found = project(
        {"torchrl/x/__init__.py": text, "torchrl/x/a.py": A, "torchrl/x/b.py": "from .a import A\n__all__ = ['A']\n"}
    )
    assert sorted(path.removeprefix("torchrl.x.") for path in public(found)) == names


@pytest.mark.parametrize(
    "body",
    [
        "    if name == 'A':\n        from .a import A\n        return A\n    raise AttributeError(name)\n",
        (
            "    if name in {'A', 'B'}:\n        from . import a\n        return getattr(a, name)\n"
            "    raise AttributeError(name)\n"
        ),
        (
            "    if name in _NAMES:\n        module = importlib.import_module('torchrl.x.a')\n"
            "        value = getattr(module, name)\n        globals()[name] = value\n        return value\n"
        ),
        (
            "    target = _TABLE.get(name)\n    if target is None:\n        raise AttributeError(name)\n"
            "    module_name, attribute = target\n"
            "    return getattr(__import__(module_name, fromlist=[attribute]), attribute)\n"
        ),
        (
            "    if name not in _MODULES:\n        raise AttributeError(name)\n"
            "    return getattr(import_module(f'.{_MODULES[name]}', __name__), name)\n"
        ),
    ],
    ids=["import", "submodule", "import_module", "table", "relative table"],
)
def test_lazy_attributes(project, body) -> None:
    head = (
        "import importlib\n_NAMES = {'A'}\n_TABLE = {'A': ('torchrl.x.a', 'A')}\n_MODULES = {'A': 'a'}\n"
        "__all__ = ['A', 'C']\n"
    )
    found = project({"torchrl/x/__init__.py": f"{head}\n\ndef __getattr__(name):\n{body}", "torchrl/x/a.py": A})
    assert meant(found)["torchrl.x.A"] == ("torchrl/x/a.py", "A")
    assert "torchrl.x.C" not in meant(found)


def test_a_lazy_attribute_that_cannot_be_followed_is_still_there(project) -> None:
    found = project({"torchrl/x/__init__.py": "__all__ = ['A']\n\n\ndef __getattr__(name):\n    return load(name)\n"})
    assert meant(found) == {"torchrl.x.A": ("", "torchrl.x.A")}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("try:\n    from .a import A\nexcept ImportError:\n    A = None\n", ("torchrl/x/a.py", "A")),
        ("try:\n    from missing import A\nexcept ImportError:\n    A = None\n", ("", "missing.A")),
        ("try:\n    from missing import A\nexcept ImportError:\n    from .a import B as A\n", ("torchrl/x/a.py", "B")),
        ("from .a import B\nA = B\n", ("torchrl/x/a.py", "B")),
        ("from . import a\nA = a.B\n", ("torchrl/x/a.py", "B")),
        ("from .b import A\n", ("torchrl/x/a.py", "A")),
        ("from .a import B\nA = type('A', B.__bases__, dict(B.__dict__))\n", ("torchrl/x/__init__.py", "A")),
    ],
    ids=["fallback", "outside", "other name", "alias", "attribute", "chain", "type()"],
)
def test_what_a_name_means(project, text, where) -> None:
    files = {
        "torchrl/x/__init__.py": text + "__all__ = ['A']\n",
        "torchrl/x/a.py": A,
        "torchrl/x/b.py": "from .a import A\n",
    }
    assert meant(project(files)) == {"torchrl.x.A": where}


def test_a_class_made_by_type_stands_for_the_one_it_copies(project) -> None:
    text = "from .a import B\nA = type('A', B.__bases__, dict(B.__dict__))\n__all__ = ['A']\n"
    found = project({"torchrl/x/__init__.py": text, "torchrl/x/a.py": A})
    assert place(found, public(found)["torchrl.x.A"]).record.name == "B"


def test_an_alias_of_itself_is_nothing(project) -> None:
    found = project({"torchrl/x/__init__.py": "A = A\n__all__ = ['A']\n"})
    assert meant(found) == {}
    assert find(found, "torchrl.x.A") is None


def test_imports_in_a_circle_end(project) -> None:
    found = project(
        {"torchrl/x/__init__.py": "from .a import A\n__all__ = ['A']\n", "torchrl/x/a.py": "from torchrl.x import A\n"}
    )
    assert meant(found) == {}


def test_all_paths_of_one_thing_the_shortest_first(project) -> None:
    found = project(
        {
            "torchrl/x/__init__.py": "from .y import A\n__all__ = ['A']\n",
            "torchrl/x/y/__init__.py": "from .a import A\n__all__ = ['A']\n",
            "torchrl/x/y/a.py": A,
        }
    )
    assert paths_of(found) == {("torchrl/x/y/a.py", "A"): ["torchrl.x.A", "torchrl.x.y.A"]}


def test_a_path_is_found_in_a_module_a_package_and_sys_modules(project) -> None:
    found = project(
        {
            "torchrl/__init__.py": "import sys\nsys.modules['torchrl.old'] = sys.modules['torchrl.x']\n",
            "torchrl/x/__init__.py": "from .a import A\n",
            "torchrl/x/a.py": A,
        }
    )
    assert [
        find(found, path) is not None for path in ("torchrl.x.A", "torchrl.x.a.A", "torchrl.old.A", "torchrl.gone.A")
    ] == [
        True,
        True,
        True,
        False,
    ]
