import pytest
from torchrl.envs.common import EnvBase


@pytest.mark.parametrize("step", [False, True])
def test_env(step):
    env = EnvBase()
    state = env.reset()
    if step:
        state = env.step(state)
    assert state is not None
    assert env.steps == int(step)
    first, second = env.seed(1), env.seed(1)
    assert first == second
