#!/usr/bin/env bash
DIR="$(cd "$(dirname "$0")" && pwd)"
$DIR/run_test.sh
