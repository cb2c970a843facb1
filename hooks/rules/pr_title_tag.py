"""The pull request's title does not begin with a known tag.

What it protects: labels and release notes, which are made from the tag.

The title comes from ``--title`` or from GitHub's event. The tags are those that the target's contribution rules and
its labelling workflow list or accept; of several the first one counts. Titles of bots are left alone.

Bad: ``Fix SAC on CUDA``

Good: ``[BugFix] Fix SAC on CUDA``

How to fix: edit the title; take the most specific tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.labels import tags

SUMMARY = "The pull request's title does not begin with a known tag"
SEVERITY = "warning"
SECTION = "13"
CHANGE_RULE = True

# Lines that list tags and nothing else, but for what a tag becomes.
_LISTING = re.compile(r"^[\s#-]*((?:\[[A-Z][\w-]*\][,\s]*)+)(?:(?:→|->).*)?$", re.MULTILINE)
_TAG = re.compile(r"\[([^\[\]]+)\]")


def check(change: Change) -> Iterator[Finding]:
    title = change.pull_request.title.strip()
    listed = _listed(change.project) if title and not change.pull_request.bot else []
    known = [tag for tags in listed for tag in tags]
    first = _TAG.match(title)
    tag = first[1].partition(",")[0].strip() if first else ""
    if not known or tag in known or any(item.accepts(tag) for item in tags(change.project)):
        return
    if first:
        from difflib import get_close_matches

        close = get_close_matches(first[1].lower(), [tag.lower() for tag in known], 1)
        meant = next((tag for tag in known if close and tag.lower() == close[0]), "")
        message = f"[{first[1]}] is none of the tags of this repository" + (
            f"; did you mean [{meant}]?" if meant else ""
        )
    else:
        message = "The title begins with no tag"
    canonical = ", ".join(f"[{tag}]" for tag in listed[0])
    yield Finding(
        ".", None, first[0] if first else title, message, f"Begin it with the most specific of {canonical}.", text=title
    )


def _listed(project: Project) -> list[list[str]]:
    """The tags of each file that lists some, those of the contribution rules first."""
    texts = (project.text(path) or "" for path in project.profile["title-tags"])
    found = ([tag for match in _LISTING.finditer(text) for tag in _TAG.findall(match[1])] for text in texts)
    return [list(dict.fromkeys(tags)) for tags in found if tags]
