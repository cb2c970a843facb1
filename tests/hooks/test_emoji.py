"""Which characters are emoji: those that Unicode presents as one by default."""

from __future__ import annotations

import pytest

from torchrl_preflight.hooks.facts.emoji import emoji
from torchrl_preflight.hooks.facts.records import Emoji


@pytest.mark.parametrize("character", ["\u231A", "\u23F3", "\u26A1", "\u2705", "\u274C", "\u2B50", "\U0001F004", "\U0001F1E6", "\U0001F389",
                                       "\U0001F680", "\U0001F9FF", "\U0001FAF8"])
def test_by_default_presentation(character: str) -> None:
    assert emoji(f"a\n {character}") == (Emoji(character, 2, 2),)


@pytest.mark.parametrize("character", ["\u00A9", "\u2192", "\u2194", "\u2600", "\u26A0", "\u2713", "\u2714", "\u2764", "\u03B1", "\u6F22", "\u2500",
                                       "\U0001F336", "\U0001F54A"])
def test_not_by_default(character: str) -> None:
    assert emoji(character) == ()


def test_places_of_several() -> None:
    text = "x\U0001F680\U0001F680\n\n\u00E9 \u2705"
    assert emoji(text) == (Emoji("\U0001F680", 1, 2), Emoji("\U0001F680", 1, 3), Emoji("\u2705", 3, 3))
