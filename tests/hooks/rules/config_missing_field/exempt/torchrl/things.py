import warnings


class Old:
    def __init__(self, new=None, old=None, older=None):
        if old is not None:
            warnings.warn("old is deprecated, use new.", DeprecationWarning)
        if older is not None:
            raise ValueError("older is gone")


class Wrapper:
    def __init__(self, env=None, **kwargs):
        self._channel = kwargs.pop("channel", None)
        self._build(**kwargs)

    def _build(self, **kwargs):
        raise NotImplementedError


class GameEnv(Wrapper):
    def __init__(self, name, **kwargs):
        kwargs["name"] = name
        super().__init__(**kwargs)
