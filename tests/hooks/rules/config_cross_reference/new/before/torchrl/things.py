class Old:
    """Old."""


class New:
    """New."""
