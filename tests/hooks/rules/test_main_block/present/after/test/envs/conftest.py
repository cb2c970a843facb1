import pytest


@pytest.fixture
def x():
    return 1
