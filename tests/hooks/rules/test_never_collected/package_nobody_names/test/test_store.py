import importlib.util

import pytest

_has_redis = importlib.util.find_spec("redis") is not None
_has_torchvision = importlib.util.find_spec("torchvision") is not None


@pytest.mark.skipif(not _has_redis, reason="redis not found")
def test_fill():  # expect: test-never-collected advisory
    pass


@pytest.mark.skipif(not _has_torchvision, reason="torchvision not found")
def test_image():
    pass
