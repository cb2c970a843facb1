import importlib.util

_has_brax = importlib.util.find_spec("brax") is not None
