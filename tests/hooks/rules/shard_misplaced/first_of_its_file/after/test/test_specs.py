import pytest
import ray
from torchrl.envs.batched import ParallelEnv


def test_spec():
    assert True


def test_isinstance():
    assert not isinstance(3, ParallelEnv)


def test_batched():  # expect: shard-misplaced warning
    assert ParallelEnv(2)


def test_ray():
    ray.init()
