from __future__ import annotations

from torchrl.envs import EnvBase

"""
from torchrl.envs import *
"""

# from torchrl.envs import *
X = EnvBase
