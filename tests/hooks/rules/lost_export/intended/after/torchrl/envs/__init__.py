from .common import EnvBase

__all__ = ["EnvBase"]
