# expect: test-never-collected warning
def test_a():
    pass
