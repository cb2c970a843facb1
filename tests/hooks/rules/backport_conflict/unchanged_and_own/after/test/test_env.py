from elsewhere import unknown
from torchrl.envs.common import EnvBase, make
from torchrl.envs.new import NewEnv


def test_step():
    assert EnvBase(device="cpu").step()


def test_new():
    LateEnv = NewEnv
    assert LateEnv(more=1).shape and make()
    assert unknown(frames=1)
