from typing import overload


class Wrapped:
    """Takes many forms.

    Args:
        base: what is wrapped.
        device: where.
    """

    @overload
    def __init__(self, base, cache: bool = True): ...

    @overload
    def __init__(self, base, *, strict: bool = False): ...

    def __init__(self, *args, **kwargs):
        self.device = kwargs.pop("device", None)
        base = kwargs.pop("base", None)
        self.cache = kwargs.pop("cache", True)
        self.strict = kwargs.pop("strict", False)
        if kwargs:
            raise TypeError(f"unexpected {kwargs}")
