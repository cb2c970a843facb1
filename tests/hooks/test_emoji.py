"""Which characters are emoji: those that Unicode presents as one by default."""

from __future__ import annotations

import pytest
from torchrl_preflight.hooks.facts.emoji import emoji
from torchrl_preflight.hooks.facts.records import Emoji


@pytest.mark.parametrize(
    "character",
    [
        "\u231a",
        "\u23f3",
        "\u26a1",
        "\u2705",
        "\u274c",
        "\u2b50",
        "\U0001f004",
        "\U0001f1e6",
        "\U0001f389",
        "\U0001f680",
        "\U0001f9ff",
        "\U0001faf8",
    ],
)
def test_by_default_presentation(character: str) -> None:
    assert emoji(f"a\n {character}") == (Emoji(character, 2, 2),)


@pytest.mark.parametrize(
    "character",
    [
        "\u00a9",
        "\u2192",
        "\u2194",
        "\u2600",
        "\u26a0",
        "\u2713",
        "\u2714",
        "\u2764",
        "\u03b1",
        "\u6f22",
        "\u2500",
        "\U0001f336",
        "\U0001f54a",
    ],
)
def test_not_by_default(character: str) -> None:
    assert emoji(character) == ()


def test_places_of_several() -> None:
    text = "x\U0001f680\U0001f680\n\n\u00e9 \u2705"
    assert emoji(text) == (Emoji("\U0001f680", 1, 2), Emoji("\U0001f680", 1, 3), Emoji("\u2705", 3, 3))
