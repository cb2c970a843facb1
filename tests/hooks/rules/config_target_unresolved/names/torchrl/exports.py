from .things import *
