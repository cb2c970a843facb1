import importlib

from torchrl.envs.common import EnvBase
from torchrl.envs.old import Moved, PPOTrainer, Renamed, fallback

Aliased = Renamed
_LAZY = {"TableLazy": ("torchrl.envs.old", "TableLazy")}
_NAMES = {"Lazy"}
__all__ = ["Aliased", "EnvBase", "Moved", "PPOTrainer", "Renamed", "fallback", *_LAZY, *_NAMES]

try:
    from torchrl.envs.old import Made
except ImportError:
    Made = None


def __getattr__(name):
    if name in _NAMES:
        module = importlib.import_module("torchrl.envs.old")
        return getattr(module, name)
    target = _LAZY.get(name)
    if target is None:
        raise AttributeError(name)
    module_name, attribute = target
    return getattr(importlib.import_module(module_name), attribute)
