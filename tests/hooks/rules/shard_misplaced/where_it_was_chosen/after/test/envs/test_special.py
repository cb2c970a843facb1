from torchrl.envs.batched import ParallelEnv


def test_special():
    assert ParallelEnv(2)
