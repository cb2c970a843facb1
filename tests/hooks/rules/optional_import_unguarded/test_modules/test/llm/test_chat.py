from __future__ import annotations

import transformers


def test_chat():
    assert transformers
