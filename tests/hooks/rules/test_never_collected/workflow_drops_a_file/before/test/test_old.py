import pytest


@pytest.mark.slow
def test_old():
    pass
