from __future__ import annotations

from torchrl.a.first import First


class Second(First):
    pass
