import warnings


def test_old():
    warnings.warn("old is deprecated soon", DeprecationWarning)
