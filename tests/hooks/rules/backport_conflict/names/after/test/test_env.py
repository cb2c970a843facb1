from torchrl.envs import late  # expect: backport-conflict advisory
from torchrl.envs.common import EnvBase, LateEnv  # expect: backport-conflict advisory


def test_step():
    assert EnvBase().step()


def test_late():
    assert LateEnv()
    assert EnvBase(
        device="cpu",
        frames=3,  # expect: backport-conflict advisory
    )
