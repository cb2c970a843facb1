import importlib.util

import pytest

_has_sim = importlib.util.find_spec("sim") is not None


@pytest.mark.skipif(not _has_sim, reason="sim not found")
class TestSim:
    def test_step(self):
        pass

    def test_replay(self):  # expect: test-never-collected
        pass


@pytest.mark.skipif(not _has_sim, reason="sim not found")
class TestMappings:  # expect: test-never-collected
    def test_one(self):
        pass

    def test_two(self):
        pass
