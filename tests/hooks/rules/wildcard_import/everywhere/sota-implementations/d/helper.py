from torchrl.configs import *  # expect: wildcard-import

X = make_env()
