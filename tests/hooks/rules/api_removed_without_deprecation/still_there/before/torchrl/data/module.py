class Thing:
    def inherited(self):
        return 1


def helper(x):
    return x
