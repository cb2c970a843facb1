class Crop:
    def __init__(self, w, h=None):
        self.w = w


class Ensemble:
    def __init__(self, *samplers, p=None):
        self.samplers = samplers


class Wrapper:
    def __init__(self, env=None, batch_size=None):
        self.env = env


class Game(Wrapper):
    def __init__(self, name, **kwargs):
        super().__init__(batch_size=(), **kwargs)
