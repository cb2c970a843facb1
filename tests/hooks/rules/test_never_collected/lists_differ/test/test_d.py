def test_d():
    pass
