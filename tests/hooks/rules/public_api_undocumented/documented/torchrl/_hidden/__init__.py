__all__ = ["Mailbox"]


class Mailbox:
    """Public in a private package."""
