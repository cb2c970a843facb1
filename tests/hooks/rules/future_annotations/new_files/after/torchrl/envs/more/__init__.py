from torchrl.envs.plain import reset  # expect: future-annotations warning

__all__ = ["reset"]

for _export in (reset,):
    _export.__module__ = __name__
last = reset
