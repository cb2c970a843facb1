#!/usr/bin/env bash
ignores="--ignore test/test_rlhf.py --ignore=test/llm"
if [ "${CU_VERSION:-}" == cpu ]; then
  pytest test ${ignores} -m 'not gpu'
else
  pytest test ${ignores} -m gpu
fi
