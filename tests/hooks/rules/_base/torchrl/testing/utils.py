from __future__ import annotations

import torch


def get_available_devices():
    """Every device of this host, the CPU first."""
    return [torch.device("cpu"), *(torch.device("cuda", i) for i in range(torch.cuda.device_count()))]


def get_default_devices():
    """The CPU without CUDA, else the CUDA devices."""
    num_cuda = torch.cuda.device_count()
    if num_cuda == 0:
        return [torch.device("cpu")]
    return [torch.device("cuda", i) for i in range(num_cuda)]
