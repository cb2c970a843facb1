"""The seed of torch's random numbers, for a run of many short checks."""

from __future__ import annotations

import torch


def reseed(number: int) -> None:
    """What `torch.manual_seed` does, on the devices in use.

    For each GPU library that is not in use torch keeps the call for later, with its stack: that takes longer than many checks.
    """
    torch.default_generator.manual_seed(number)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(number)
