def test_e():
    pass
