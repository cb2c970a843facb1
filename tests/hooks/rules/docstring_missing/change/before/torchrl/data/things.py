class Old:
    pass
