import warnings


class Due:
    def __init__(self):
        warnings.warn("Due is deprecated and will be removed in v0.14.", DeprecationWarning)


class Early:
    def __init__(self):
        warnings.warn("Early is deprecated and will be removed in v0.15.", DeprecationWarning)
