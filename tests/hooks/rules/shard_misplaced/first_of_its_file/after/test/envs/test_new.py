import pytest
from torchrl.envs.batched import ParallelEnv


@pytest.mark.parametrize("kind", [ParallelEnv])
def test_batched(kind):  # expect: shard-misplaced warning
    assert kind(2)
