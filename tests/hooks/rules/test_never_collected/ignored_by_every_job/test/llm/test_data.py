def test_data():
    pass
