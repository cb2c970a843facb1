__all__ = ["Late"]


def __getattr__(name):
    if name == "Late":
        from torchrl.lazy._late import Late

        return Late
    raise AttributeError(name)
