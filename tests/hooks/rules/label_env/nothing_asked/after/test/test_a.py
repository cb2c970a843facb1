def test_a():
    assert 2
