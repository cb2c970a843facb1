"""Lines ``Name: value`` in which authors answer for a change: in messages of commits and in a pull request's body."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
"""What a template's comment or a quoted example says is not said by the author."""
_TAGS = re.compile(r"<[^<>\n]*>")
_NOTHING = frozenset({"", "none", "no", "n/a", "na", "nothing", "tbd", "todo", "reason"})
_LONGEST = 300  # of a value: reports repeat it for every test that it answers for
_MARKUP = " \t*_`\"'"


def trailer(name: str, texts: Iterable[str]) -> str:
    """The value of the first line ``name: value`` that says something; "" where there is none.

    Args:
        name: compared without regard to case; Markdown around name and value is dropped, and what is too long is cut.
        texts: messages and bodies.
    """
    line = re.compile(rf"^[ \t*_`-]*{re.escape(name)}[*_`]*[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE)
    for text in texts:
        for found in line.finditer(_HIDDEN.sub("", text.replace("\r\n", "\n"))):
            value = _TAGS.sub("", found[1]).strip(_MARKUP)
            if value.rstrip(".!").lower() not in _NOTHING and any(map(str.isalpha, value)):
                return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}..."
    return ""
