from __future__ import annotations

import torch
from torch.nn.utils.rnn import pad_sequence


def pad(items):
    return pad_sequence(items, padding_side="left")  # expect: label-ci-olddeps warning
