#!/usr/bin/env bash

set -e

python .github/unittest/helpers/coverage_run_parallel.py -m pytest test/libs --instafail -v -k TestBrax
