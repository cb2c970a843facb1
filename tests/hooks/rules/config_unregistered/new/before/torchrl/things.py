from abc import ABC, abstractmethod


class Base(ABC):
    @abstractmethod
    def run(self): ...


class One:
    pass


class Two:
    pass


class Layer:
    pass
