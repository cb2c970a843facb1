class Trainer:
    def __init__(self, *, frames, backend=None, rate=1.0):
        self.frames = frames
