class Trainer:
    def __init__(self, *, frames, seed=None, stepper=None, sampling=None):
        self.frames = frames


class Small:
    def __init__(self, width=1):
        self.width = width


class Large:
    def __init__(self, width=1, layers=3):
        self.width = width


class Operator:
    def __init__(self, module, in_keys=None, out_keys=None):
        self.module = module
