# Copyright (c) Meta Platforms, Inc. and affiliates.
#
# This source code is licensed under the MIT license found in the
# LICENSE file in the root directory of this source tree.
"""Documented."""
from __future__ import annotations

import torch

X = torch.zeros(1)
