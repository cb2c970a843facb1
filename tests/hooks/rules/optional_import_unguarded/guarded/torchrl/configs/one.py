from __future__ import annotations

from hydra.core import config_store
from omegaconf import MISSING
