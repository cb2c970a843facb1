class A:  # expect: public-api-undocumented error
    """First."""


class B:
    """Second."""


class C:
    """Third."""
