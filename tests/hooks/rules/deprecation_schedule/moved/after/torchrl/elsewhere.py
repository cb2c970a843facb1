import warnings


class Moved:
    def kept(self):
        warnings.warn("kept is deprecated and will be removed in v0.15.", DeprecationWarning)
