from __future__ import annotations

import importlib.util

from torchrl._flags import _has_gym

_has_ray = importlib.util.find_spec("ray") is not None
_has_torchvision = importlib.util.find_spec("torchvision") is not None

if _has_torchvision:
    import torchvision


def with_flag():
    if not _has_ray:
        raise ImportError("ray is needed")
    import ray

    return ray


def with_a_flag_of_another_module():
    import gym

    return gym


def with_a_guarded_import_above():
    from torchvision import transforms

    return transforms


def caught():
    try:
        import wandb
    except ImportError as error:
        raise ImportError("wandb is needed") from error
    return wandb


def neither():
    import mlflow  # expect: import-in-function warning

    return mlflow


def brought_along():
    from torch.utils.tensorboard import SummaryWriter  # expect: import-in-function warning

    return SummaryWriter


def newer_python():
    import tomllib

    return tomllib
