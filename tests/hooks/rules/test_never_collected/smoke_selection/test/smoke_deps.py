def test_gym():
    pass


def test_other():  # expect: test-never-collected
    pass
