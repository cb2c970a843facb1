from .common import EnvBase  # expect: lost-export warning
from .old import OldEnv
from .other import OtherEnv

__all__ = ["EnvBase", "OldEnv", "OtherEnv"]
