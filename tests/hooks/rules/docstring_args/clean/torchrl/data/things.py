class InInit:
    """Says all.

    Args:
        size: how many.
    """

    def __init__(self, size):
        pass
