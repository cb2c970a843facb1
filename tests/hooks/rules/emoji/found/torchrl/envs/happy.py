from __future__ import annotations

from torchrl._utils import logger

logger.info("🎉 done")  # expect: emoji warning
# ✅ checked  # expect: emoji
