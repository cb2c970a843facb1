from torchrl.envs.batched import ParallelEnv


def test_many():  # expect: shard-misplaced warning
    assert ParallelEnv(2)
