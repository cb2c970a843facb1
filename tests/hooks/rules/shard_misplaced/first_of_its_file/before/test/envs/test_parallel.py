from torchrl.envs.batched import ParallelEnv


def test_many():
    assert ParallelEnv(2)
