class Plain:
    def __init__(self, actor=None, key=None):
        self.actor = actor


class Clip(Plain):
    def __init__(self, actor=None, epsilon=0.2, **kwargs):
        super().__init__(actor, **kwargs)
