from __future__ import annotations

from dataclasses import dataclass

from tensordict.nn import TensorDictModuleBase


class LossModule(TensorDictModuleBase):
    """A loss."""

    @dataclass
    class _AcceptedKeys:
        pass

    def set_keys(self, **kwargs):
        for key, value in kwargs.items():
            setattr(self.tensor_keys, key, value)
