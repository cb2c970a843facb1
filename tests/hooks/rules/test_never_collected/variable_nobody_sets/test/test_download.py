import os

import pytest

RUN_DOWNLOADS = os.environ.get("RUN_DOWNLOADS") == "1"


@pytest.mark.skipif(not RUN_DOWNLOADS, reason="set RUN_DOWNLOADS=1")
def test_download():  # expect: test-never-collected
    pass


@pytest.mark.skipif(not os.getenv("CU_VERSION"), reason="CI only")
def test_in_ci():
    pass
