from .things import One
