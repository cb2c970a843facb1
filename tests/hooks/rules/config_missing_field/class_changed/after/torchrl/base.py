class Base:
    def __init__(self, size=1, *, seed=None):
        self.size = size
