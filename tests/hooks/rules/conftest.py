"""The folders beside this file are trees to judge, not tests to collect."""

collect_ignore_glob = ["*/*"]
