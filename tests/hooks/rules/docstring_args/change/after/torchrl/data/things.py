class Old:
    """Was never complete.

    Args:
        size: how many.
    """

    def __init__(self, size, shape):
        self.size = size


class Grown:  # expect: docstring-args error
    """Was complete but for one.

    Args:
        size: how many.
    """

    def __init__(self, size, shape, device=None):
        pass
