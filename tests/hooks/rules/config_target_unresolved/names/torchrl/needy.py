import some_package_that_is_nowhere


class Needy(some_package_that_is_nowhere.Base):
    pass
