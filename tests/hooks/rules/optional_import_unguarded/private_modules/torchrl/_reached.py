from __future__ import annotations

import brax  # expect: optional-import-unguarded error
