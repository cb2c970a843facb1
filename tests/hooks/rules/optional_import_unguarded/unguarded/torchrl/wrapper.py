from __future__ import annotations

import dm_env  # expect: optional-import-unguarded error
import tomllib  # expect: optional-import-unguarded error
from enum import StrEnum  # expect: optional-import-unguarded error
from torch.utils.tensorboard import SummaryWriter  # expect: optional-import-unguarded error
from gym import spaces, Env  # expect: optional-import-unguarded error
