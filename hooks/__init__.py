"""Static rules over a tree of files, their edits, and ``torchrl-lint``."""
