def test_spec():
    assert True
