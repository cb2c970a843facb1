"""What a check needs, as one word: ``ext``, ``cuda``, ``cuda:2``, a name of torchrl, or else a package."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import pkgutil

from .installed import Trouble, extension, install, version
from .troubles import hint


def unmet(need: str) -> Trouble | None:
    """None when ``need`` is met here, or why it is not and what would meet it.

    Args:
        need: ``ext`` (the C++ extension), ``cuda`` or ``cuda:N`` (N GPUs), ``torchrl.some.name`` (a name that not every
            release has), or a package, by import name or distribution name.
    """
    kind, _, count = need.partition(":")
    if kind == "ext":
        return extension()
    if kind == "cuda":
        return _gpus(int(count or 1))
    if need.startswith("torchrl."):
        return _name(need)
    if _present(need):
        return None
    return Trouble(f"{need} is not installed", install(need))


def _gpus(count: int) -> Trouble | None:
    import torch

    found = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if found >= count:
        return None
    if torch.version.cuda is None:
        return Trouble(
            f"torch {torch.__version__} is built without CUDA", "install a CUDA build of torch on a GPU machine"
        )
    wanted = f", {count} are needed" if count > 1 else ""
    return Trouble(f"torch {torch.__version__} sees {found or 'no'} GPU{wanted}", "run on a GPU machine")


def _name(name: str) -> Trouble | None:
    """A name of torchrl: it may be of another release, or want an optional package.

    Raises:
        ImportError: what defines it does not import, and for no known reason.
    """
    with contextlib.suppress(AttributeError, ImportError):
        pkgutil.resolve_name(name)
        return None
    try:
        importlib.import_module(name)  # says why it cannot be resolved
    except ImportError as error:
        absent = error.name if isinstance(error, ModuleNotFoundError) else None
        if not absent or not f"{name}.".startswith(f"{absent}."):
            words = hint(error) or (install(absent) if absent else "")
            if not words:
                raise
            return Trouble(f"{name} cannot be imported: {error}", words)
    return Trouble(f"torchrl {version('torchrl')} has no {name}", "")


def _present(name: str) -> bool:
    try:
        spec = importlib.util.find_spec(name)
    except (ModuleNotFoundError, ValueError):  # a dotted name without its parent, a package without a spec
        spec = None
    # a folder that happens to have this name is a namespace package without an origin
    return (spec is not None and spec.origin is not None) or version(name) is not None
