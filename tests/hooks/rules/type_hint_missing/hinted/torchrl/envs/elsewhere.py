from __future__ import annotations


class Base:
    def step(self, action: int) -> int:
        return action
