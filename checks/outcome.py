"""How a check ends when it neither passes nor fails by an exception of torchrl: with a reason and what to do."""

from __future__ import annotations

import pytest


class Unverified(pytest.skip.Exception):
    """Raised by a check, or while its module is imported: this cannot be verified here."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason, allow_module_level=True)
        self.hint = hint


class Failed(pytest.fail.Exception):
    """Raised by a check that knows what to do about the failure."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.hint = hint
