class B:  # expect: public-api-undocumented error
    """Second."""


class C:
    """Third."""
