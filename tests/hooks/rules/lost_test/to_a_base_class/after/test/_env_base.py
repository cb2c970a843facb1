from torchrl.envs.common import EnvBase


class EnvTests:
    make = EnvBase

    def test_reset(self):
        assert self.make().reset()

    def test_step(self):
        env = self.make()
        assert env.step(env.reset())
