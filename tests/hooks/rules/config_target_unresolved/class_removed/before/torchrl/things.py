class Other:
    pass


class Thing:
    pass
