from __future__ import annotations

import sys

import torch
import torchrl
from packaging import version

TORCH_VERSION = version.parse(torch.__version__)


class Checkpoint:
    _version = 2
    model_version = 3

    def save(self):
        if sys.version_info >= (3, 12) and self._version == 1:
            return {}
        print(f"torch {torch.__version__}")
        if hasattr(torch, "compile") and self.model_version > 2:
            return {"torch": torch.__version__, "same": torch.__version__ == "2.4"}
        if self.model_version is None or torch.version.cuda is not None:
            return None
        return version.parse(torchrl.__version__) >= version.parse("0.9")
