"""Builds ``hooks/tables/torch_symbols.txt``: which torch release first has a name or a keyword.

    python tools/torch_symbols.py 2.1.1 2.2.0 2.3.0 ...       # the floor first, then one release of every minor
    python tools/torch_symbols.py --wheels DIR 2.1.1 2.2.0    # take the wheels from there, and keep them

The names are read from the Python and stub files of the published wheels (those for macOS are the smallest and hold the
same sources), nothing is installed or imported. A wheel is deleted as soon as it was read, unless it is to be kept. Only what the floor lacks and a
later release has is written: below a module or class that is new as a whole nothing is listed.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parent.parent / "hooks" / "tables" / "torch_symbols.txt"
_PLATFORMS = (
    "macosx_10_9_x86_64",
    "macosx_11_0_arm64",
    "macosx_12_0_arm64",
    "macosx_13_0_arm64",
    "macosx_14_0_arm64",
    "macosx_15_0_arm64",
)
# Code generators, test helpers and vendored packages: nobody calls into them, and they are most of the names.
_LEFT_OUT = (
    "torch/testing/_internal/",
    "torch/_inductor/",
    "torch/_dynamo/",
    "torch/_export/",
    "torch/_functorch/",
    "torch/_vendor/",
    "torch/include/",
    "torch/share/",
    "torch/bin/",
    "torch/lib/",
    "torch/onnx/_internal/",
    "torch/ao/",
    "torch/quantization/",
    "torch/_numpy/",
    "torch/fx/experimental/",
    "torch/fx/passes/",
    "torch/_refs/",
    "torch/_decomp/",
    "torch/_prims/",
    "torch/distributed/_tensor/",
    "torch/distributed/tensor/_ops/",
    "torch/distributed/elastic/",
    "torch/distributed/_shard/",
    "torch/_meta_registrations",
    "torch/sparse/_",
    "torch/_VF",
    "torch/utils/_sympy/",
    "torch/_subclasses/",
    "torch/csrc/",
    "torch/utils/hipify/",
    "torch/utils/mkldnn",
    "torch/distributed/pipeline/",
    "torch/distributed/_spmd/",
    "torch/fx/",
    "torch/utils/benchmark/examples/",
    "torch/utils/model_dump/",
    "torch/package/",
    "torch/_lazy/",
    "torch/jit/_passes/",
)
_TENSORS = ("torch._C", "torch._C._VariableFunctions")
_DEPTH = 10
_CHAIN = 5

Surface = dict[str, "list[str] | None"]
"""Dotted name -> the keywords that it takes; None where it is no function, or takes any."""


def surface(wheel: Path) -> Surface:
    """All names of a wheel, as they can be written after ``import torch``."""
    with zipfile.ZipFile(wheel) as archive:
        modules: dict[str, list[ast.stmt]] = {}
        packages: set[str] = set()
        for name in sorted(archive.namelist()):
            if name.startswith("torch/") and name.endswith((".py", ".pyi")) and not name.startswith(_LEFT_OUT):
                dotted = name.rpartition(".")[0].replace("/", ".").removesuffix(".__init__")
                if "/__init__.py" in name:
                    packages.add(dotted)
                modules.setdefault(dotted, []).extend(ast.parse(archive.read(name)).body)
    reader = _Reader(modules, packages)
    found: Surface = dict.fromkeys(modules)
    paths: dict[int, list[str]] = {}
    for module in modules:
        for name, (home, node) in reader.names(module).items():
            # A module's own imports are no part of it; a package's are what it exports.
            if (node is None and home == "") or (home != module and module not in reader.packages):
                continue
            # Of private names people use those of torch itself, and what private modules offer.
            if name[0] == "_" and module != "torch":
                continue
            found[f"{module}.{name}"] = None
            if node is not None:
                reader.homes[id(node)] = home
                paths.setdefault(id(node), []).append(f"{module}.{name}")
                reader.nodes[id(node)] = node
    for key, known in paths.items():
        # Keywords and attributes are kept once, by the path that people write.
        path, home, node = min(known, key=_spoken), reader.homes[key], reader.nodes[key]
        found[path] = reader.keywords(home, node)
        if isinstance(node, ast.ClassDef) and "._" not in path.replace("torch._C.", ""):
            found.update({f"{path}.{member}": None for member in reader.members(home, node)})
    return found


def _spoken(path: str) -> tuple[int, int, str]:
    return path.count("._"), path.count("."), path


class _Reader:
    def __init__(self, modules: dict[str, list[ast.stmt]], packages: set[str]) -> None:
        self.modules = modules
        self.packages = packages
        self.statements = {module: list(_statements(body)) for module, body in modules.items()}
        self.known: dict[str, dict[str, tuple[str, ast.AST | None]]] = {}
        self.homes: dict[int, str] = {}
        self.nodes: dict[int, ast.AST] = {}
        self.resolve()

    def names(self, module: str) -> dict[str, tuple[str, ast.AST | None]]:
        """What a module binds: name -> (module that defines it, the definition)."""
        return self.known.get(module, {})

    def resolve(self) -> None:
        """Follows re-exports; modules import each other in circles, so once more for each link of the longest chain."""
        for _ in range(_CHAIN):
            self.known = {module: self.all_bound(module) for module in self.modules}

    def all_bound(self, module: str) -> dict[str, tuple[str, ast.AST | None]]:
        found: dict[str, tuple[str, ast.AST | None]] = {}
        for node in self.statements[module]:
            for name, value in self.bound(module, node):
                found[name] = value if name not in found or value[1] is not None else found[name]
        if module == "torch":
            # Its __init__ copies what the extension defines.
            for other in _TENSORS:
                for name, value in self.names(other).items():
                    found.setdefault(name, value)
        return found

    def bound(self, module: str, node: ast.stmt) -> Iterator[tuple[str, tuple[str, ast.AST | None]]]:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, (module, node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for item in ast.walk(target):
                    if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store):
                        yield item.id, (module, None)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0], ("", None)
        elif isinstance(node, ast.ImportFrom):
            source = self.source(module, node)
            for alias in node.names:
                inner = self.names(source) if source in self.modules else {}
                if alias.name == "*":
                    yield from ((name, value) for name, value in inner.items() if name[0] != "_")
                else:
                    yield (
                        alias.asname or alias.name,
                        inner.get(alias.name, (module if source in self.modules else "", None)),
                    )

    def source(self, module: str, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = module.split(".")
        cut = len(parts) - node.level + (module in self.packages)
        return ".".join([*parts[:cut], *([node.module] if node.module else [])])

    def members(self, home: str, node: ast.ClassDef, depth: int = _DEPTH) -> set[str]:
        """Attributes of a class, those of its bases in torch included."""
        found = {name for item in _statements(node.body) for name, _ in self.bound(home, item)}
        for base in node.bases if depth else ():
            text = ast.unparse(base)
            module, _, name = text.rpartition(".")
            where, definition = (
                self.names(module).get(name, ("", None)) if module else self.names(home).get(text, ("", None))
            )
            if isinstance(definition, ast.ClassDef) and definition is not node:
                found |= self.members(where, definition, depth - 1)
        return {name for name in found if not name.startswith("__")}

    def keywords(self, home: str, node: ast.AST | None) -> list[str] | None:
        """Keywords of a function, of all its overloads, or of a class's constructor."""
        if isinstance(node, ast.ClassDef):
            makers = [
                item
                for item in _statements(node.body)
                if isinstance(item, ast.FunctionDef) and item.name in ("__init__", "__new__")
            ]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            makers = [
                item
                for item in self.statements[home]
                if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and item.name == node.name
            ]
        else:
            return None
        if not makers or any(maker.args.kwarg for maker in makers):
            return None
        return sorted(
            {given.arg for maker in makers for given in (*maker.args.args, *maker.args.kwonlyargs)} - {"self", "cls"}
        )


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a block, those under conditions included."""
    for node in body:
        if isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from _statements([*node.body, *getattr(node, "orelse", ()), *getattr(node, "finalbody", ())])
            for handler in getattr(node, "handlers", ()):
                yield from _statements(handler.body)
        else:
            yield node


def rows(surfaces: dict[str, Surface]) -> dict[str, dict[str, list[str]]]:
    """Minor release -> owner -> names new in it; the owner of keywords ends in "()"."""
    (_, floor), *later = surfaces.items()
    first: dict[str, str] = {}
    for version, found in later:
        minor = ".".join(version.split(".")[:2])
        for name, keywords in found.items():
            if name not in floor:
                first.setdefault(name, minor)
            elif keywords is not None and floor[name] is not None:
                for keyword in set(keywords) - set(floor[name] or ()):
                    first.setdefault(f"{name}().{keyword}", minor)
    found: dict[str, dict[str, list[str]]] = {}
    for name, minor in sorted(first.items()):
        owner, _, last = name.rpartition(".")
        # What is below something new is new.
        if owner not in first and not last.startswith("__"):
            found.setdefault(minor, {}).setdefault(owner, []).append(last)
    return found


def _read(version: str, kept: Path | None) -> Surface:
    with tempfile.TemporaryDirectory() as folder:
        where = kept or Path(folder)
        if not list(where.glob(f"torch-{version}-*.whl")):
            wanted = [
                "--no-deps",
                "--only-binary=:all:",
                "--python-version",
                "3.11",
                *[word for name in _PLATFORMS for word in ("--platform", name)],
            ]
            subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "pip",
                    "download",
                    "--quiet",
                    "--no-cache-dir",
                    "-d",
                    where,
                    *wanted,
                    f"torch=={version}",
                ],
                check=True,
            )
        return surface(next(where.glob(f"torch-{version}-*.whl")))


def _write(versions: list[str], found: dict[str, dict[str, list[str]]]) -> None:
    lines = [
        "# The torch release that first has a name or a keyword, for all that torch " + versions[0] + " lacks.",
        "# Built by tools/torch_symbols.py from the Python and stub files of the wheels of torch "
        + ", ".join(versions)
        + ".",
        "# A line is an owner and its new names; an owner that ends in () is called, and the names are keywords.",
        "# What the extension defines is known by its stubs, which may tell of a method later than it existed.",
    ]
    for minor, owners in sorted(found.items(), key=lambda item: [int(part) for part in item[0].split(".")]):
        lines += [f"[{minor}]", *[f"{owner} {' '.join(names)}" for owner, names in owners.items()]]
    TABLE.write_text("\n".join(lines) + "\n")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("versions", nargs="+", metavar="VERSION")
    parser.add_argument("--wheels", type=Path, metavar="DIR")
    arguments: Any = parser.parse_args(argv)
    surfaces = {version: _read(version, arguments.wheels) for version in arguments.versions}
    _write(arguments.versions, rows(surfaces))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
