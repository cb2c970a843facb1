from .base import Base


class Thing(Base):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
