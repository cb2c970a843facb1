#!/usr/bin/env bash
pytest test/test_lost.py -v  # expect: test-never-collected
pytest test --ignore test/gone -m gpu  # expect: test-never-collected
pytest test -m 'not gpu'
pytest test/test_a*.py elsewhere/test_x.py
