from __future__ import annotations

class MovedEnv:
    pass
