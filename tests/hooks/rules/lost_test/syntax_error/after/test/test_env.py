def test_reset(:
