class Thing:
    def __init__(self, size=2, name="run", rate=None):
        self.size = size
