import importlib.util

import pytest

_has_genesis = importlib.util.find_spec("genesis") is not None


@pytest.mark.skipif(not _has_genesis, reason="genesis not found")
class TestGenesis:  # expect: test-never-collected warning
    def test_env(self):
        pass
