from torchrl.envs.common import EnvBase


class TestEnvBase:
    def test_reset(self):
        env = EnvBase()
        state = env.reset()
        assert state is not None

    def test_one_step(self):
        """Counts."""
        env = EnvBase()
        # one step
        state = env.step(env.reset())
        assert state is not None
        assert env.steps == 1


def test_seed_is_kept():
    env = EnvBase()
    first, second = env.seed(2), env.seed(2)
    assert first == second
