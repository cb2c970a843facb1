import pytest


@pytest.mark.slow
def test_long():
    pass
