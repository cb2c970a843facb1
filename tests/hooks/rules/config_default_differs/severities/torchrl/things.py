class EnvBase:
    pass


class GameEnv(EnvBase):
    def __init__(self, name, device=None, frames=None, eps=1e-8, log=None, workers=1):
        self.name = name
