from __future__ import annotations

class OldEnv:
    def step(self):
        return 1
