class EnvBase:
    def __init__(self, device=None):
        self.device = device

    def step(self):
        return self


def make():
    return EnvBase()
