from __future__ import annotations

from _modules_common import _has_triton as HAS_TRITON
