#!/usr/bin/env bash
case "${SHARD}" in
  bulk) pytest test --ignore test/test_a.py --ignore test/test_b.py --ignore test/test_own.py ;;  # expect: test-never-collected
  rest) pytest test/test_a.py test/envs ;;
  1) pytest test --ignore test/test_a.py ;;
  2) pytest test/test_a.py test/envs ;;
esac
