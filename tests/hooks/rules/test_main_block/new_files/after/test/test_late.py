from __future__ import annotations

import pytest

if __name__ == "__main__":
    pytest.main([__file__])


def test_late():
    assert pytest  # expect: test-main-block
