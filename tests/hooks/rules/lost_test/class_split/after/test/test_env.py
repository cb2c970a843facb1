from torchrl.envs.common import EnvBase


class TestReset:
    def test_reset(self):
        env = EnvBase()
        state = env.reset()
        assert state is not None


class TestStep:
    def test_step(self):
        env = EnvBase()
        state = env.step(env.reset())
        assert state is not None
        assert env.steps == 1


class TestSeed:
    def test_seed(self):
        env = EnvBase()
        first, second = env.seed(1), env.seed(1)
        assert first == second
