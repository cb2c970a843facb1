pytest test/libs/test_brax.py
