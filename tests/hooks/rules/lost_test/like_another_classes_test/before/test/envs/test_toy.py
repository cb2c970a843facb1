from torchrl.envs.toy import ToyEnv


class TestToy:
    def test_step(self):
        env = ToyEnv()
        state = env.step(env.reset())
        assert state is not None
        assert env.steps == 1
