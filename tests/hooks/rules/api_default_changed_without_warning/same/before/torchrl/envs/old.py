import warnings


class Storage:
    def __init__(self, a=1, b=0.01, c=False, d="x", e=(1, 2), f=0, g=None, required=None):
        self.g = 3 if g is None else g


class Announced:
    def __init__(self, flag=None):
        if flag is None:
            warnings.warn("The default of flag will change to True in v0.14.", FutureWarning)
            flag = False
        self.flag = flag


class Widget:
    def __init__(self, size=2):
        self.size = size
