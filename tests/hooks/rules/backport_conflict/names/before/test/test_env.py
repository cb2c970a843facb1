from torchrl.envs.common import EnvBase


def test_step():
    assert EnvBase().step()
