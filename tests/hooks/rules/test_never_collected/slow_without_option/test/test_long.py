import pytest


@pytest.mark.slow
class TestLong:  # expect: test-never-collected
    def test_one(self):
        pass

    def test_two(self):
        pass


class TestMixed:
    def test_short(self):
        pass

    @pytest.mark.slow
    def test_long(self):  # expect: test-never-collected
        pass

    @pytest.mark.parametrize("n", [1, pytest.param(1000, marks=pytest.mark.slow)])
    def test_rows(self, n):
        pass


@pytest.mark.slow
@pytest.mark.gpu
def test_long_gpu():  # expect: test-never-collected
    pass
