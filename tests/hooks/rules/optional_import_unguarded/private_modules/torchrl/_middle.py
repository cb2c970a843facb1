from __future__ import annotations

from torchrl._reached import brax
