#!/usr/bin/env bash
pytest test/smoke_more.py -v
if [ "${CU_VERSION:-}" == cpu ]; then
  pytest test -m 'not gpu'
else
  pytest test -m gpu
fi
