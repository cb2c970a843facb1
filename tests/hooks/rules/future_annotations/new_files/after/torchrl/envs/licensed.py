# Copyright (c) Meta Platforms, Inc. and affiliates.  # expect: future-annotations
#
# This source code is licensed under the MIT license found in the
# LICENSE file in the root directory of this source tree.
import torch

X = torch.zeros(1)
