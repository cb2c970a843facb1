from torchrl.envs.plain import reset  # expect: future-annotations warning

__all__ = ["reset"]
