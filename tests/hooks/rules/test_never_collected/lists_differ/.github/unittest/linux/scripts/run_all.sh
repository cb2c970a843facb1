#!/usr/bin/env bash
pytest test/test_a.py test/test_b.py test/test_c.py test/test_d.py test/test_e.py
pytest test -m gpu
