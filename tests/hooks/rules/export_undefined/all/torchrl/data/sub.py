from nowhere import *

__all__ = ["anything"]
