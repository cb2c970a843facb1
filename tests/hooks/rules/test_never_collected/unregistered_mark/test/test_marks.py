import pytest


@pytest.mark.gpus
def test_misspelt():  # expect: test-never-collected
    pass


@pytest.mark.gpus
def test_misspelt_again():
    pass


@pytest.mark.timeout(60)
@pytest.mark.flaky(reruns=3)
@pytest.mark.from_conftest
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.gpu)])
@pytest.mark.usefixtures("tmp_path")
def test_registered(x):
    pass
