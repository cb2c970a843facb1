from .things import Child

__all__ = ["Child"]
