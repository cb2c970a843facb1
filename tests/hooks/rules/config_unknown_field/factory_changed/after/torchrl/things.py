class Thing:
    def __init__(self, size=1):
        self.size = size
