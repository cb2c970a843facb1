from __future__ import annotations

import importlib.util
