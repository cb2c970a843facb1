import warnings
from dataclasses import dataclass


@dataclass
class Config:
    backend: str = ""
    size: int = 1
    name: str = ""


def make(data, unsqueeze=True, more=None):
    return data


def taken(data, *args, flag=True):
    if args:
        warnings.warn("flag will be keyword-only in v0.16.", DeprecationWarning)
        (flag,) = args
    return data


def update(policy_or_weights=None, wait=True, **kwargs):
    if "policy_weights" in kwargs:
        policy_or_weights = kwargs.pop("policy_weights")
    return wait


def _private(b, a):
    return a
