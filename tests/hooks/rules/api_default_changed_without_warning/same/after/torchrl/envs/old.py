ONE = 1


class Defaults:
    timeout = 0.01


_defaults = make_defaults()


class Storage:
    def __init__(self, a=ONE, b=None, c=None, d=None, e=[1, 2], f=0.0, g=3, required=None):
        if b is None:
            b = _defaults.timeout
        self.c = bool(c)
        self.d = d or "x"


class Announced:
    def __init__(self, flag=True):
        self.flag = flag


class Widget:
    def __init__(self, size=1):
        self.size = size
