from __future__ import annotations

import importlib.util
import numpy as np
from torchrl._utils import logger
