import importlib.util

_has_genesis = importlib.util.find_spec("genesis") is not None
