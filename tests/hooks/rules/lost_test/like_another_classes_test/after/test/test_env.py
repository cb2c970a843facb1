from torchrl.envs.common import EnvBase


def test_kept():
    assert EnvBase().device is None


#
# Tested with the others.  # expect: lost-test warning
