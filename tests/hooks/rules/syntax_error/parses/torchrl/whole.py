x = 1


def reset(self):
    pass
