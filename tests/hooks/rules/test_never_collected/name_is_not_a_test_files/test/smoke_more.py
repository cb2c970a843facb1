# expect: test-never-collected warning


def test_import():
    pass
