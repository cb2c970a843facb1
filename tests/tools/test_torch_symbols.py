"""The table of torch's names against the torch that is installed, and the script that builds it."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import zipfile
from pathlib import Path

import pytest
import torch
from torchrl_preflight.hooks.project.torch_symbols import numbers
from torchrl_preflight.hooks.tables import rows

ROOT = Path(__file__).parent.parent.parent


def _table() -> list[tuple[str, str, list[str]]]:
    """(release, owner, names) of each line."""
    found, version = [], ""
    for owner, *names in rows("torch_symbols"):
        if owner[0] == "[":
            version = owner[1:-1]
        else:
            found.append((version, owner, names))
    return found


def _resolved(dotted: str):
    """What a dotted name stands for in the torch that is installed; None where it has none."""
    parts = dotted.split(".")
    found = torch
    for position, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            try:
                importlib.import_module(".".join(parts[:position]))
            except Exception:  # a module may need what is not installed here
                return None
        found = getattr(found, part, None)
    return found


def test_releases_are_in_order_and_newer_than_the_floor() -> None:
    versions = list(dict.fromkeys(numbers(version) for version, _, _ in _table()))

    assert versions == sorted(versions)
    assert (versions[0], versions[-1]) == ((2, 2), (2, 15))


@pytest.mark.parametrize(
    ("name", "since"),
    [
        ("torch.compiler.cudagraph_mark_step_begin", "2.2"),
        ("torch.unravel_index", "2.2"),
        ("torch.get_default_device", "2.3"),
        ("torch.utils._pytree.tree_map_with_path", "2.3"),
        ("torch.nn.functional.rms_norm", "2.4"),
        ("torch.mps.is_available", "2.5"),
        ("torch._higher_order_ops.scan", "2.6"),
        ("torch.compiler.is_exporting", "2.7"),
        ("torch.nn.utils.rnn.pad_sequence().padding_side", "2.5"),
    ],
)
def test_first_releases(name: str, since: str) -> None:
    owner, _, last = name.rpartition(".")

    assert [version for version, each, names in _table() if each == owner and last in names] == [since]


def test_public_names_of_released_minors_are_in_the_torch_installed() -> None:
    here = numbers(torch.__version__)
    owners = (
        "torch",
        "torch.nn",
        "torch.nn.functional",
        "torch.optim",
        "torch.compiler",
        "torch.autograd",
        "torch.nn.attention",
        "torch.cuda",
    )
    names = [
        f"{owner}.{name}"
        for version, owner, names in _table()
        if owner in owners and numbers(version) <= here[:2]
        for name in names
        if name[0] != "_"
    ]
    gone = [name for name in names if _resolved(name) is None]

    assert len(names) > 100
    # Names that exist for type checkers only, and some that a later release took back.
    assert len(gone) < len(names) / 4, gone


def test_keywords_are_those_of_the_torch_installed() -> None:
    here = numbers(torch.__version__)
    judged = right = 0
    for version, owner, names in _table():
        function = (
            _resolved(owner[:-2]) if owner.endswith("()") and owner.startswith(("torch.nn.", "torch.optim.")) else None
        )
        if function is None or numbers(version) > here[:2] or not inspect.isfunction(function):
            continue
        parameters = inspect.signature(function).parameters
        judged += len(names)
        right += sum(name in parameters for name in names)

    assert judged > 10
    assert right >= judged * 0.9


def test_the_script_lists_what_is_new(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("torch_symbols", ROOT / "tools" / "torch_symbols.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)

    def wheel(name: str, files: dict[str, str]) -> Path:
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for path, text in files.items():
                archive.writestr(path, text)
        return tmp_path / name

    old = wheel(
        "old.whl",
        {
            "torch/__init__.py": "from torch.nn import *\ndef f(a): pass\ndef g(**more): pass\n",
            "torch/nn/__init__.py": "from .modules import Linear\n",
            "torch/nn/modules.py": "class Linear:\n    def __init__(self, size): pass\n",
        },
    )
    new = wheel(
        "new.whl",
        {
            "torch/__init__.py": "import os\nfrom torch.nn import *\ndef f(a, b=1): pass\ndef g(a): pass\nif True:\n    h = 1\n_i = 2\n",
            "torch/nn/__init__.py": "from .modules import Linear, Other\n_j = 1\n",
            "torch/nn/modules.py": "class Linear:\n    def __init__(self, size, bias=True): pass\n    def reset(self): pass\nclass Other:\n    def new(self): pass\n",
            "torch/extra/__init__.py": "name = 1\n",
            "torch/_C/__init__.pyi": "def native(input, *, out=None): ...\n",
        },
    )
    found = script.rows({"2.1.1": script.surface(old), "2.2.0": script.surface(new)})

    assert found == {
        "2.2": {
            "torch": ["Other", "_C", "_i", "extra", "h", "native"],
            "torch.f()": ["b"],
            "torch.Linear()": ["bias"],
            "torch.Linear": ["reset"],
            "torch.nn": ["Other"],
            "torch.nn.modules": ["Other"],
        }
    }
