from torchrl.envs.common import EnvBase


class TestEnv:
    def test_step(self):
        env = EnvBase()
        state = env.step(env.reset())
        assert state is not None
        assert env.steps == 1
