import torch


def test_old():
    assert torch
