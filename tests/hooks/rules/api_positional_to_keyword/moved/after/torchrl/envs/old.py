class ListStorage:  # expect: api-positional-to-keyword error
    def __init__(self, max_size=None, *, compilable=False):
        self.max_size = max_size

    def get(self, index, default=None, strict=True):  # expect: api-positional-to-keyword error
        return index


def make_composite(data, *, unsqueeze=True):  # expect: api-positional-to-keyword error
    return data


def order(b, a):  # expect: api-positional-to-keyword error
    return a
