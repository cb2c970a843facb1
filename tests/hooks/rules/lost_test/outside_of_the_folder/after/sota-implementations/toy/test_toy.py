from torchrl.envs.common import EnvBase


class TestEnv:
    def test_reset(self):
        env = EnvBase()
        state = env.reset()
        assert state is not None

    def test_step(self):
        env = EnvBase()
        state = env.step(env.reset())
        assert state is not None
        assert env.steps == 1


def test_seed():
    env = EnvBase()
    first, second = env.seed(1), env.seed(1)
    assert first == second
