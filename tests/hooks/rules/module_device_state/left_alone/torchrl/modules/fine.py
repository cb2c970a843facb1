from __future__ import annotations

import dataclasses

import torch
import torch.nn as nn


def _do_nothing():
    pass


def _cast_to_device(module, device):
    return module.to(device)


class Plain:
    def __init__(self, device):
        self.device = device


@dataclasses.dataclass
class Config:
    device: str

    def __post_init__(self):
        self.device = torch.device(self.device)


class Encoder(nn.Module):
    def __init__(self, net, device=None, devices=()):
        super().__init__()
        self.net = nn.Linear(3, 3, device=device)
        self.inner = _cast_to_device(net, device)
        self.devices = list(devices)
        self._device = None
        self._map_device = device is not None
        self._sync_device = torch.cuda.synchronize if device else _do_nothing
        self.device_map = {"x": device}
        self_device = device
        self.register_buffer("scale", torch.ones(1, device=self_device))

    @property
    def device(self):
        raise RuntimeError("a module has no device")

    def forward(self, x):
        device = x.device
        return self.net(x.to(device))
