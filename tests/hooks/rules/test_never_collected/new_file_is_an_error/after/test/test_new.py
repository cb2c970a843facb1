import pytest


@pytest.mark.slow
def test_new():  # expect: test-never-collected error
    pass
