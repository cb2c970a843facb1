#!/usr/bin/env bash
pytest test/smoke_deps.py -k 'test_gym or test_tb'
pytest test -m gpu
pytest test -m 'not gpu'
