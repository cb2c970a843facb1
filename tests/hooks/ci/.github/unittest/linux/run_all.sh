#!/usr/bin/env bash
set -euxo pipefail

this_dir="$( cd "$( dirname "${BASH_SOURCE[0]}" )" >/dev/null 2>&1 && pwd )"
root_dir="$(git rev-parse --show-toplevel)"
cd "${root_dir}"
source "${root_dir}/venv/bin/activate"
source "${this_dir}/../helpers/report.sh"
uv pip install dm_control pytest "mujoco>=3"
python -c "
import pytest
"

if [ "${TORCHRL_VALIDATE_FLAKY:-0}" = "1" ]; then
  pytest test/test_flaky.py --count=20
  exit 0
fi

TORCHRL_TEST_SUITE="${TORCHRL_TEST_SUITE:-all}"
GPU_MARKER_FILTER=()
if [ "${TORCHRL_GPU_FILTER:-1}" = "1" ]; then
  if [ "${CU_VERSION:-}" == cpu ]; then
    GPU_MARKER_FILTER=(-m 'not gpu')
  else
    GPU_MARKER_FILTER=(-m gpu)
  fi
fi

pytest test/smoke_test.py -v --durations 200
EXIT_STATUS=0

run_distributed_tests() {
  if [ "${CU_VERSION:-}" == cpu ]; then
    return 1
  fi
  python .github/unittest/helpers/coverage_run_parallel.py -m pytest test/test_distributed.py \
    $(get_report_args distributed) --timeout=120
}

run_non_distributed_tests() {
  local shard="${TORCHRL_TEST_SHARD:-all}"
  local common_ignores="--ignore test/test_distributed.py --ignore test/llm --ignore test/test_rlhf.py"
  local spawning_paths=(
    test/test_collectors.py
    # spawns a server
    test/services
  )
  local spawning="${spawning_paths[*]}"
  local spawning_ignores=""
  local path
  for path in "${spawning_paths[@]}"; do
    spawning_ignores+="--ignore ${path} "
  done
  case "${shard}" in
    1|spawning)
      env -u OMP_NUM_THREADS python .github/unittest/helpers/coverage_run_parallel.py -m pytest ${spawning} \
        "${GPU_MARKER_FILTER[@]}" $(get_report_args "${shard}")
      ;;
    2|bulk)
      python .github/unittest/helpers/coverage_run_parallel.py -m pytest test \
        ${common_ignores} ${spawning_ignores} "${GPU_MARKER_FILTER[@]}" -n auto
      ;;
    all|"")
      python -m pytest test ${common_ignores} "${GPU_MARKER_FILTER[@]}" || return $?
      ;;
    *)
      exit 2
      ;;
  esac
}

case "${TORCHRL_TEST_SUITE}" in
  all)
    if [ "${CU_VERSION:-}" != cpu ]; then
      run_distributed_tests || EXIT_STATUS=$?
    fi
    run_non_distributed_tests || EXIT_STATUS=$?
    ;;
  distributed) run_distributed_tests || EXIT_STATUS=$? ;;
  nondistributed) run_non_distributed_tests || EXIT_STATUS=$? ;;
esac
exit $EXIT_STATUS
