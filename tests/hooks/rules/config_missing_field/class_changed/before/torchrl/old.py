class Old:
    def __init__(self, size=1):
        self.size = size
