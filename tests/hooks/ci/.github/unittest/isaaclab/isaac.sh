#!/usr/bin/env bash
PYTHON="/workspace/isaaclab/isaaclab.sh"
if [[ -f "${PYTHON}" ]]; then
  TEST_IDS=$("${PYTHON}" -p -m pytest test/libs -k isaac --collect-only -q 2>/dev/null | grep "::")
  if [[ -z "${TEST_IDS}" ]]; then
    exit 1
  fi
  while IFS= read -r TEST_ID; do
    [[ -z "${TEST_ID}" ]] && continue
    if ! "${PYTHON}" -p -m pytest "${TEST_ID}" -s; then
      OVERALL=1
    fi
  done <<< "${TEST_IDS}"
else
  exit 1
fi
