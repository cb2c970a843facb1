from .common import EnvBase
from .old import OldEnv
from .other import OtherEnv
from .toy import ToyEnv

__all__ = ["EnvBase", "OldEnv", "OtherEnv", "ToyEnv"]
