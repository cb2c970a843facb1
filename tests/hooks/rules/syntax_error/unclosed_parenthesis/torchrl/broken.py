x = 1
def reset(self:  # expect: syntax-error error
    pass
