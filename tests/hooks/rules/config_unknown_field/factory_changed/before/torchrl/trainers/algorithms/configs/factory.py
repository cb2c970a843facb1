from torchrl.things import Thing


def _make_thing(*args, **kwargs) -> Thing:
    size = kwargs.pop("size", 1)
    kwargs.pop("space", None)
    return Thing(size=size, **kwargs)
