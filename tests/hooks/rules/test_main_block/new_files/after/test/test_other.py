from __future__ import annotations

import unittest


class TestOther(unittest.TestCase):
    def test_it(self):
        pass


if __name__ == "__main__":
    unittest.main()  # expect: test-main-block
