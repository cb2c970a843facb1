import torch


def test_old():
    assert torch is not None
