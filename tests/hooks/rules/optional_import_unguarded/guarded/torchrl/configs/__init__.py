from __future__ import annotations

try:
    import hydra
except ImportError as error:
    raise ImportError("hydra-core is needed") from error
