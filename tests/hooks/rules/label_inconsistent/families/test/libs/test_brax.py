class TestBrax:
    def test_step(self):
        pass
