import pytest
import torch


@pytest.mark.gpu
@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two")
def test_two():  # expect: test-never-collected
    pass


class TestSync:
    @pytest.mark.gpu
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs one")
    def test_one(self):
        pass

    @pytest.mark.gpu
    @pytest.mark.skipif(not torch.cuda.is_available() or torch.cuda.device_count() <= 2, reason="needs three")
    def test_three(self):  # expect: test-never-collected
        pass

    @pytest.mark.skipif(torch.cuda.device_count() == 0 and not torch.cuda.is_available(), reason="unclear")
    def test_unclear(self):
        pass
