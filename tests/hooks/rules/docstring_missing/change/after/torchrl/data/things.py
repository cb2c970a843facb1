class Old:
    size = 3


class New:  # expect: docstring-missing error
    pass
