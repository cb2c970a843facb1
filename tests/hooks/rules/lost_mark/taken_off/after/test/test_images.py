import importlib.util

import pytest
import torch

_has_tv = importlib.util.find_spec("torchvision") is not None


def test_corner():  # expect: lost-mark warning
    assert True


def test_edge():
    assert True


def test_middle():  # expect: lost-mark warning
    assert True


def test_device():  # expect: lost-mark advisory
    assert True
