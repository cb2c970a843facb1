def test_brax():
    assert 1
