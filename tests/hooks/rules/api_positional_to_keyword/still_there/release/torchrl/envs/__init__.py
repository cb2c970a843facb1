from torchrl.envs.old import Config, make, taken, update

__all__ = ["Config", "make", "taken", "update"]
