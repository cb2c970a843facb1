class Old:
    """Was never complete.

    Args:
        size: how many.
    """

    def __init__(self, size, shape):
        pass


class Grown:
    """Was complete but for one.

    Args:
        size: how many.
    """

    def __init__(self, size, shape):
        pass
