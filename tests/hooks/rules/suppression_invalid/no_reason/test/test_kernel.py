import pytest
import torch


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
def test_silent():  # preflight: ignore[gpu-marker-missing]  # expect: suppression-invalid error
    assert True


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
def test_blanket():  # preflight: ignore runs elsewhere  # expect: suppression-invalid, gpu-marker-missing
    assert True


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
def test_misspelt():  # preflight: ignore[gpu-marker-mising] runs elsewhere  # expect: suppression-invalid, gpu-marker-missing
    assert True
