# expect: test-never-collected


def test_reward():
    pass


class TestRollout:
    def test_shape(self):
        pass
