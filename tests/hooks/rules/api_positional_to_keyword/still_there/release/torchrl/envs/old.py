from dataclasses import dataclass


@dataclass
class Config:
    size: int = 1
    name: str = ""


def make(data, unsqueeze=True):
    return data


def taken(data, flag=True):
    return data


def update(policy_weights=None, wait=True):
    return wait


def _private(a, b):
    return a
