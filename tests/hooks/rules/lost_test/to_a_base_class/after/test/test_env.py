from _env_base import EnvTests
from torchrl.envs.common import EnvBase


class TestEnv(EnvTests):
    pass


def test_seed():
    env = EnvBase()
    first, second = env.seed(1), env.seed(1)
    assert first == second
