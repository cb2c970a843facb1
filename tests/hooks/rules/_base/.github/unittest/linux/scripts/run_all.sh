#!/usr/bin/env bash

set -euxo pipefail

root_dir="$(git rev-parse --show-toplevel)"
cd "${root_dir}"

GPU_MARKER_FILTER=()
if [ "${CU_VERSION:-}" == cpu ]; then
  GPU_MARKER_FILTER=(-m 'not gpu')
else
  GPU_MARKER_FILTER=(-m gpu)
fi

pytest test --instafail --durations 200 -vv "${GPU_MARKER_FILTER[@]}"
