#!/usr/bin/env bash
if [ "${TORCHRL_OPTDEPS_SMOKE:-0}" = "1" ]; then
  python -m pytest test/smoke_test.py -v
  exit 0
fi
setsid bash -c '
python .github/unittest/helpers/coverage_run_parallel.py -m pytest test \
  --ignore test/test_distributed.py --ignore test/llm
' > >(tee log) 2>&1 &
wait
