from __future__ import annotations

import wrapping


class Wrapped(wrapping.Base):
    pass
