from __future__ import annotations  # expect: label-env advisory

VALUE = 1
