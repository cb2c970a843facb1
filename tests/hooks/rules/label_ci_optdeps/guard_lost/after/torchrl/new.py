from __future__ import annotations

import importlib.util

import ray  # expect: label-ci-optdeps advisory

FOUND = importlib.util.find_spec("ray")
