MAX = 64


class Trainer:
    def __init__(self, *, frames: int, rate: float = 1e-3, name: str = "run", limit: int = MAX, seed: int | None = None, hook=print):
        self.frames = frames


class Plain:
    def __init__(self, size, shape=(1, 2), flag: bool = False):
        self.size = size
