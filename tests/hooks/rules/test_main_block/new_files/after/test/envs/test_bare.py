import torch


def test_bare():
    assert torch


# The end.  # expect: test-main-block
