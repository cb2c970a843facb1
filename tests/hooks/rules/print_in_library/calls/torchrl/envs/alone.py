from __future__ import annotations

import torch


def reset():
    print(torch.zeros(1))  # expect: print-in-library
