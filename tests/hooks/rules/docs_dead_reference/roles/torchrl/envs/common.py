from somewhere import Base


class EnvBase(Base):
    """An environment."""

    def __init__(self):
        self.batch_size = ()

    def step(self):
        """Steps."""


class Closed:
    """Has no base."""

    limit = 1

    def step(self):
        """Steps."""
        self.count = 1
