def test_it():
    return 1
