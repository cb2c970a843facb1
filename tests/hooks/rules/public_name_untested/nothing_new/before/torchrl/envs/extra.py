from __future__ import annotations

class OldEnv:
    pass
