_LATER = {"Later"}


def __getattr__(name):
    if name in _LATER:
        return object
    raise AttributeError(name)
