from torchrl.envs.common import EnvBase


def test_seed():
    env = EnvBase()
    first, second = env.seed(1), env.seed(1)
    assert first == second
