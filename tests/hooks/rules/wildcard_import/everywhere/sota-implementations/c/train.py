from torchrl.configs import *  # expect: wildcard-import

X = globals()["make_" + "env"]
