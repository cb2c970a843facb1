class TestMinari:
    def test_load(self):
        pass
