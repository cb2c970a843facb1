from __future__ import annotations

import torch
import torch.nn as nn
from tensordict.nn import TensorDictModuleBase


class Base(nn.Module):
    pass


class Encoder(Base):
    def __init__(self, device=None, config=None, **kwargs):
        super().__init__()
        self.device = device  # expect: module-device-state error
        self._device = None if device is None else torch.device(device)  # expect: module-device-state
        self._where = device  # expect: module-device-state
        self.home: torch.device = torch.device("cpu")  # expect: module-device-state
        self._remote_device = kwargs.pop("device", None)  # expect: module-device-state

    def to(self, dest):
        if not isinstance(dest, torch.dtype):
            self._device = dest  # expect: module-device-state
        return super().to(dest)


class Loss(TensorDictModuleBase):
    @property
    def device(self):
        if self._cached is None:
            self._cached = next(self.parameters()).device  # expect: module-device-state
        return self._cached


class Sac(torch.nn.Module):
    @property
    def device(self):  # expect: module-device-state
        for p in self.parameters():
            return p.device
        raise RuntimeError("no parameters")


class First(torch.nn.Module):
    @property
    def device(self):  # expect: module-device-state
        return next(self.parameters()).device
