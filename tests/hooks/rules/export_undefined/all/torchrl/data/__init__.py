import importlib

from torchrl.data.things import Here

from . import things

try:
    from somewhere import Outside
except ImportError:
    Outside = None

__all__ = [
    "Here",
    "Gone",  # expect: export-undefined error
    "Outside",
    "Late",
    "Later",  # expect: export-undefined error
    "sub",
    "things",
]

if importlib:
    __all__ += ["never"]  # expect: export-undefined error


def __getattr__(name):
    if name == "Late":
        return importlib.import_module("torchrl.data.things").Late
    raise AttributeError(name)
