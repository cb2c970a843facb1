#!/usr/bin/env bash  # expect: test-never-collected
pip install genesis
pytest test/libs -k TestGenesis
