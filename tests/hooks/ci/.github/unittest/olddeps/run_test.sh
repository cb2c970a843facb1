#!/usr/bin/env bash
common_args=(-v --durations 200 -k "not HalfCheetah-v2" --mp_fork_if_no_cuda)
MUJOCO_GL=egl python -m pytest \
    --ignore test/test_distributed.py \
    --ignore test/llm \
    "${common_args[@]}"
#pytest test/test_rlhf.py
