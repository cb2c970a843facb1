from torchrl.envs.common import EnvBase
from torchrl.envs.extra import Loader, LoadResult, Mode, MovedEnv, NewEnv, OldEnv, Part, TestedEnv, TestedEnvPart, make_env

__all__ = [
    "EnvBase",
    "Loader",
    "LoadResult",
    "Mode",
    "MovedEnv",
    "NewEnv",
    "OldEnv",
    "Part",
    "TestedEnv",
    "TestedEnvPart",
    "make_env",
]
