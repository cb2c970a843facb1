from __future__ import annotations

import torch

from torchrl._utils import logger as torchrl_logger


class NoisyEnv:
    def reset(self):
        print("resetting")  # expect: print-in-library error
        print(f"{self}: {torch.zeros(1)}")  # expect: print-in-library
        if self.verbose:
            print("resetting")  # expect: print-in-library
        self.verbose and print("verbose")  # expect: print-in-library
        print("a", "b")  # expect: print-in-library
        print("to stderr", file=self.stream)  # expect: print-in-library
        torchrl_logger.info("done")
