"""A tutorial without its frame: what one learns, a conclusion, further reading.

What it protects: the reader who looks for one thing among thirty pages.

Headings may be worded otherwise ("Overview", "Summary", "Next steps") and may be combined.

Bad:

    \"\"\"
    Recording videos
    ================
    \"\"\"
    env = GymEnv("Pendulum-v1", from_pixels=True)

Good:

    \"\"\"
    Recording videos
    ================

    What you will learn
    -------------------

    - how to render an environment to a file
    \"\"\"
    env = GymEnv("Pendulum-v1", from_pixels=True)

    ######################################################################
    # Conclusion
    # ----------
    # ...
    #
    # Further reading
    # ---------------
    # ...

How to fix: add what is missing, as in the newer tutorials.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..change import Change
from ..finding import Finding

SUMMARY = "A tutorial lacks What you will learn, Conclusion or Further reading"
SEVERITY = "advisory"
SECTION = "9"
CONCERNS = ("tutorials",)
REPEATABLE = True
NEEDS = ("tutorials",)

# A heading is underlined, bold on a line of its own, the title of a card, or a line that leads to what is learnt.
_HEADING = re.compile(
    r"^[ \t]*(?:#[ \t]*)?(?=\S)(?:(?P<underlined>\S.*)\n[ \t]*(?:#[ \t]*)?(?:-{3,}|={3,}|~{3,}|\^{3,}|\"{3,})[ \t]*$"
    r"|\*\*(?P<bold>[^*]+)\*\*:?[ \t]*$|\.\. (?:grid-item-card|admonition|topic)::[ \t]*(?P<card>.*)$"
    r"|(?P<lead>.*\blearn\w*):[ \t]*$)",
    re.MULTILINE,
)
_SECTIONS = {
    "What you will learn": r"learn|overview|objective|goal|key|introduction|this tutorial",
    "Conclusion": r"conclu|summary|wrap|takeaway|recap|closing|final",
    "Further reading": r"further|reading|next step|what'?s next|references|see also|related|resources|where to go",
}


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["tutorials"], ".py"):
        text = project.text(path) or ""
        headings = [next(filter(None, match.groups()), "").strip(" :*") for match in _HEADING.finditer(text)]
        # The first heading is the title, which may well speak of learning.
        lacking = [
            name
            for name, words in _SECTIONS.items()
            if not any(re.search(words, heading, re.IGNORECASE) for heading in headings[1:])
        ]
        if lacking and headings:
            yield Finding(
                path,
                1,
                path.rpartition("/")[2].removesuffix(".py"),
                f"The tutorial has no section like {' or '.join(lacking)}",
                f"Add {', '.join(lacking)}, under these names or others.",
                text=", ".join(lacking),
            )
