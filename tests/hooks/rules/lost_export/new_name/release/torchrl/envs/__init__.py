from .common import EnvBase
from .old import OldEnv

__all__ = ["EnvBase", "OldEnv"]
