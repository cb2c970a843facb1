"""Facts: what one blob says, as small immutable records.

A pure function of bytes: no path, no other file, no environment. Adding a fact means a field in
``records.py`` and the code that fills it; the store notices by itself that its rows are old.
"""
