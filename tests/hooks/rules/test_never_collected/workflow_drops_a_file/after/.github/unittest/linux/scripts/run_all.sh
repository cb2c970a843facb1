#!/usr/bin/env bash
pytest test -m gpu --ignore test/test_a.py
pytest test -m 'not gpu' --ignore test/test_a.py
