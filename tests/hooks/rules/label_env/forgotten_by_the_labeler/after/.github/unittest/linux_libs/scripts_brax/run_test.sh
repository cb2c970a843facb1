pytest test/libs/test_brax.py -x  # expect: label-env advisory
