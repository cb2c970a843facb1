"""The subcommands of ``torchrl-smoke`` that need no torch: one file each, found by its name."""
