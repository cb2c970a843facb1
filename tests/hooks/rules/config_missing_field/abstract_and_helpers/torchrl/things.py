from abc import ABC, abstractmethod


class Storage(ABC):
    def __init__(self, max_size=None):
        self.max_size = max_size

    @abstractmethod
    def get(self): ...


class Layer:
    def __init__(self, width=1):
        self.width = width


class Net:
    def __init__(self, layer=None):
        self.layer = layer
