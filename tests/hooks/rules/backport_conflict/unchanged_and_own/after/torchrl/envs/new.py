from .common import EnvBase


class NewEnv(EnvBase):
    def __init__(self, more=0):
        self.more = self.help()

    def help(self):
        return self.device
