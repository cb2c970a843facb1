from .things import OneConfig

__all__ = ["OneConfig"]
