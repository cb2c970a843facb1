from torchrl.middle import *
