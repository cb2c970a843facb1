from __future__ import annotations

import logging

logger = logging.getLogger("torchrl")


def implement_for(*versions):
    return lambda function: function
