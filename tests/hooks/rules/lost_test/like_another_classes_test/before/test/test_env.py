from torchrl.envs.common import EnvBase


def test_kept():
    assert EnvBase().device is None


class TestEnv:
    def test_step(self):
        env = EnvBase()
        state = env.step(env.reset())
        assert state is not None
        assert env.steps == 1
