class Primer:
    """Fills keys.

    Args:
        shape: of all.
        **kwargs: a spec for each key.
    """

    def __init__(self, primers=None, **kwargs):
        shape = kwargs.pop("shape", None)
        self.primers = dict(kwargs, shape=shape)
