from torchrl.envs.common import EnvBase


class TestEnv:
    def test_reset(self):
        env = EnvBase()
        state = env.reset()
        assert state is not None

    def test_step_count(self):
        assert EnvBase().rollout(3).steps == 3


def test_seed_twice():
    assert len({EnvBase().seed(number) for number in (3, 3)}) == 1
