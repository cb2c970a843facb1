"""Values of torchrl compared: tensors, nested ones, tensordicts, lazy stacks and what is no tensor."""

from __future__ import annotations

from typing import Any

import torch
from tensordict import LazyStackedTensorDict, TensorDictBase, is_tensor_collection


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal in shape, dtype and content, key by key and row by row."""
    return not differing(one, other)


def differing(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two values differ: keys of tensordicts and rows of what is stacked, those that only one of them has included."""
    if is_tensor_collection(one) != is_tensor_collection(other):
        return [path]
    if is_tensor_collection(one) and one.batch_size != other.batch_size:
        return [f"{path} {tuple(one.batch_size)} {tuple(other.batch_size)}"]
    dim = next((side.stack_dim for side in (one, other) if isinstance(side, LazyStackedTensorDict)), None)
    if dim is not None or getattr(one, "is_nested", False):
        pairs = zip(one.unbind(dim or 0), other.unbind(dim or 0))
        return [place for row, pair in enumerate(pairs) for place in differing(*pair, f"{path}[{row}]")]
    if isinstance(one, TensorDictBase):
        keys, others = set(one.keys()), set(other.keys())
        inner = [place for key in keys & others for place in differing(one.get(key), other.get(key), f"{path}/{key}")]
        return sorted([*(f"{path}/{key}" for key in keys ^ others), *inner])
    if is_tensor_collection(one):
        return [] if one.tolist() == other.tolist() else [path]
    equal = one.shape == other.shape and one.dtype == other.dtype and torch.equal(one, other)
    return [] if equal else [path]
