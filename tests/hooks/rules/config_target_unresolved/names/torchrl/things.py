class Thing:
    pass


Alias = Thing
