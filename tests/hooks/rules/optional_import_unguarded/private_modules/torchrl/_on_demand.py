from __future__ import annotations

import vmas  # expect: optional-import-unguarded warning
