class Trainer:
    def __init__(self, *, frames, stepper=None):
        self.frames = frames


class Stepper:
    def __init__(self, delay):
        self.delay = delay


class Module:
    def __init__(self, module):
        self.module = module
