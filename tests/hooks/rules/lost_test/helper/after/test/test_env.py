from torchrl.envs.common import EnvBase


class TestEnv:
    def test_all(self):
        self.check_reset()
        self.check_step()
        _check_seed()

    def check_reset(self):
        env = EnvBase()
        state = env.reset()
        assert state is not None

    def check_step(self):
        env = EnvBase()
        state = env.step(env.reset())
        assert state is not None
        assert env.steps == 1


def _check_seed():
    env = EnvBase()
    first, second = env.seed(1), env.seed(1)
    assert first == second
