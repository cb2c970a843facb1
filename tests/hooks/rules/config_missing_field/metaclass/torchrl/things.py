class Meta(type):
    def __call__(cls, *args, workers=1, **kwargs):
        kwargs.pop("quiet", None)
        return super().__call__(*args, **kwargs)


class Pool(metaclass=Meta):
    """A pool.

    Args:
        workers: how many.
    """

    def __init__(self, size=1):
        self.size = size
