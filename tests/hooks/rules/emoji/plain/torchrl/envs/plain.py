from __future__ import annotations

"""Arrows → and ✓ checks ✔, © α ─ ⚠ ☀ ↔ — none is an emoji by default."""
