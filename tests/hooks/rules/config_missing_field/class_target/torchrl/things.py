from abc import ABC


class Base(ABC):
    def __init__(self, size, *, seed=None):
        self.size = size


class Child(Base):
    def __init__(self, size, depth: int = 2, _hidden=None):
        super().__init__(size)


class Same(Base):
    pass
