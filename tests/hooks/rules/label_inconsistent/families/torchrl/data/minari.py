import importlib.util

_has_minari = importlib.util.find_spec("minari") is not None
