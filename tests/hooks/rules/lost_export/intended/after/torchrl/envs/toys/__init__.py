from .toy import ToyEnv

__all__ = ["ToyEnv"]
