"""Seeding: the random numbers of torch's own seed, without what that costs."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch
from torchrl_preflight.checks.seed import reseed

from .conftest import Site

GPU = """
import types
told = []
default_generator = types.SimpleNamespace(manual_seed=lambda number: told.append(("cpu", number)))
cuda = types.SimpleNamespace(
    is_initialized=lambda: {in_use}, manual_seed_all=lambda number: told.append(("cuda", number))
)
"""


@pytest.mark.parametrize("number", [0, 7, 2**40])
def test_the_numbers_are_those_of_torch(number: int) -> None:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(number)
        wanted = torch.rand(5), torch.randperm(9), torch.nn.Linear(3, 2).weight
        torch.rand(1)
        reseed(number)
        given = torch.rand(5), torch.randperm(9), torch.nn.Linear(3, 2).weight
        assert [torch.equal(one, other) for one, other in zip(wanted, given)] == [True] * 3
        assert torch.initial_seed() == number


def test_another_seed_gives_others() -> None:
    with torch.random.fork_rng(devices=[]):
        reseed(1)
        one = torch.rand(5)
        reseed(2)
        assert not torch.equal(one, torch.rand(5))


@pytest.mark.parametrize(("in_use", "told"), [(False, "[('cpu', 5)]"), (True, "[('cpu', 5), ('cuda', 5)]")])
def test_gpus_are_seeded_when_in_use(site: Site, in_use: bool, told: str) -> None:
    site.package("torch", files={"__init__.py": GPU.format(in_use=in_use)})
    code = "import torch; from torchrl_preflight.checks.seed import reseed; reseed(5); print(torch.told)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{told}\n"
