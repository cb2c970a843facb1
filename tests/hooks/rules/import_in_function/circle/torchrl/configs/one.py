from __future__ import annotations

from omegaconf import MISSING


class Config:
    value = MISSING

    def make(self):
        from hydra.utils import instantiate

        return instantiate(self)
