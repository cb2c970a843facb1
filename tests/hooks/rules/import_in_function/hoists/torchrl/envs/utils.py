"""Helpers."""
from __future__ import annotations

import math

import torch


def step():
    return 1
