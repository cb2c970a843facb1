"""Subcommands of ``torchrl-lint``, one file each, found by name.

A file holds ``SUMMARY``, ``configure(parser)`` and ``main(arguments, project) -> int``, which prints
its answer; ``NEEDS_PROJECT = False`` if it looks at no tree.
"""
