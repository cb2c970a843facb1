#!/usr/bin/env bash
run_tests() {
  local version_name="${1:-unknown}"
  if ! timeout 600 python -m pytest test/libs -v -k "gym and not isaac" --mp_fork; then
    FAILED+=("${version_name}")
    return 1
  fi
}
pip install 'gym[atari]==0.19'
run_tests "gym==0.19" || true
for version in 0.27 0.28; do
  pip install "gymnasium==${version}"
  run_tests "gymnasium==${version}" || true
done
