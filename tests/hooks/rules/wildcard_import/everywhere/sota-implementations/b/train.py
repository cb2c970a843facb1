# They register themselves.
from torchrl.configs import *  # noqa: F401, F403  # expect: wildcard-import

X = 1
