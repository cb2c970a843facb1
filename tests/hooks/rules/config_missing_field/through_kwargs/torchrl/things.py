class Root:
    def __init__(self, rate=1.0, *, seed=None, fixed=None):
        self.rate = rate


class Left(Root):
    def __new__(cls, *args, **kwargs):
        return super().__new__(cls)

    def __init__(self, left=0, **kwargs):
        super().__init__(fixed="left", **kwargs)


class Right(Root):
    def __init__(self, *, right=0, **kwargs):
        super().__init__(**kwargs)


class Both(Left, Right):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)


class Direct(Root):
    def __init__(self, **kwargs):
        Root.__init__(self, 2.0, **kwargs)
