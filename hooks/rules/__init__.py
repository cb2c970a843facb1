"""The rules, one file each, found by name.

A file's docstring is the rule's documentation: what it protects, bad, good, how to fix.
"""
