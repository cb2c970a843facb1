#!/usr/bin/env bash
pytest test -m gpu
pytest test -m 'not gpu'
pytest $(git diff --name-only HEAD~1)
