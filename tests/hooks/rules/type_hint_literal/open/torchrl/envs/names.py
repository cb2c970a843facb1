from __future__ import annotations

from typing import Literal


def select(mode: Literal["random", "greedy"] = "random"):
    if mode == "random" or mode == "greedy":
        return 1


def load(name: str, prefix: str, known: list[str]):
    if name == "none" or prefix in (".", ".."):
        return None
    if name in known:
        return name


def _private(mode: str):
    return 1 if mode == "a" else 2 if mode == "b" else 3


_PARSERS = {}


def parse(text: str, template: str):
    if template == "chatml":
        return text
    elif template in ("qwen",):
        return text[1:]
    elif template in _PARSERS:
        return _PARSERS[template](text)
    raise ValueError(template)
