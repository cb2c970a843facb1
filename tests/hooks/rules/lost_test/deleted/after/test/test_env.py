from torchrl.envs.common import EnvBase


class TestEnv:
    def test_reset(self):
        env = EnvBase()
        state = env.reset()
        assert state is not None

    # Steps are counted elsewhere.  # expect: lost-test warning


def test_other():
    assert EnvBase().batch_size == ()
    assert EnvBase().device is None
    assert EnvBase().steps == 0
    # The seed is not kept.  # expect: lost-test warning
