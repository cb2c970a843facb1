class _Base:
    def inherited(self):
        return 1


class Thing(_Base):
    pass


def helper(x, y=None):
    return x
