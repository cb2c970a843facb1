"""What a tree announces: which warnings and docstring notes tell of a deprecation or a coming change, and for which release."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..facts.records import Note
from . import Project
from .messages import HOLE, Site, sites

# Patterns are text: re compiles each when a file first asks for it, and most commits ask for none.
_HINT = r"(?i)deprec|derpec|remov|disappear|disabl|moved|will|soon|future"
_LEAVING = (
    r"(?i)\bde(?:pre|rpe)cat|\bwill (?:\w+ )?be (?:\w+ )?removed|\bto be removed|\bremoved soon|\bwill (?:\w+ )?disappear"
    r"|\bwill (?:\w+ )?be (?:\w+ )?disabled|\b(?:has|have) moved"
)
_GONE = r"(?i)\bremoved\b|\bdisappear|\bwill (?:\w+ )?be (?:\w+ )?disabled|\b(?:has|have) moved"
_SWITCHING = r"(?i)\bdefault|\bbehaviou?r|\bwill (?:\w+ )?(?:change|switch)"
_CHANGING = (
    r"(?i)\bdefault|\bbehaviou?r|\bwill (?:\w+ )?(?:change|switch|become|raise|trigger|stop|append|ignore|use"
    r"|be (?:replaced|turned|changed|ignored|treated|set|used|`|True|False|None))"
)
_COMING = r"(?i)\bwill (?:\w+ )?(?:change|be replaced|switch|be turned|default|raise|trigger|stop)\b"
_VAGUE = r"(?i)\bsoon\b|\bfuture (?:\w+ )?(?:versions?|releases?)"
_FUTURE = r"(?i)\bwill\b|\bsoon\b|\bfuture\b"
_REPLACED = r"(?i)\bwill be replaced by\b"
# What only looks like an announcement: a notice that says it will become one, something already
# unavailable, a prototype, another project's deprecation.
_ADVISORY = r"(?i)will become an? \w*(?:Deprecation|Future)Warning"
_UNAVAILABLE = r"(?i)\bno longer available\b"
_PROTOTYPE = r"(?i)\b(?:experimental|prototype)\b"
_UPSTREAM = r"(?<![\w.])(?:gym|gymnasium|torchvision|vllm|brax|torch|tensordict|jax)(?!\w|\.\w)"
_ELSEWHERE = rf"(?i)deprecated (?:in|by|since|as of|from) {_UPSTREAM}"

_TOKEN = rf"(?i)(?<![\w.{HOLE}])(v?)(?:0\.(\d{{1,9}})(?:\.\d+)?(?![\w%{HOLE}])|[\d.]*{HOLE}(?:[\d.]*{HOLE})*)"
_WORD = r"(?i)\b(?:in|from|until|by|as of|version|release|torchrl|through)\b"
_CLAUSE = r"[.;:!?,]\s|\n\s*\n"
_PAST = (
    r"(?i)(?:\bsince|\bprior to|\bpre-|\b(?:has|have) been removed in|\bwas removed in"
    r"|\b(?:been|was|were) deprecated (?:in|as of|from|with)"
    r"|\bcurrently \(|\b(?:introduced|added|new) in)\s*(?:torchrl )?(?:version |release )?$"
)
_LAST = r"(?i)\bthrough\s+(?:torchrl )?(?:version |release )?$"
_NAMED = (
    r"(?i)(?:\b(?:version|release|torchrl)|\b(?:remov\w*|chang\w*|deprecated|disabled|disappear\w*|default\w*|error|moved)"
    r" (?:in|from|by|as of))\s*$"
)
_COMPARED = r"[<>=!~]=?\s*$"

_SENTENCE = r"[.!?](?:\s|$)"


class Announcement(NamedTuple):
    """A warning or a note about something that a release takes away or changes.

    Args:
        site: the warn statement; None for a docstring's note.
        symbol: qualified name of the function or class around, ``<module>`` outside of any.
        target: the N of the last 0.N named; None where none is.
        named: whether a release is named at all, if only a run knows which.
        removal: whether something certainly goes away, as opposed to a default or a behaviour that changes.
    """

    path: str
    line: int
    symbol: str
    text: str
    site: Site | None
    target: int | None
    named: bool
    removal: bool

    @property
    def leaving(self) -> bool:
        """Whether the words are those of a deprecation or removal."""
        return re.search(_LEAVING, self.text) is not None

    @property
    def gone(self) -> bool:
        """Whether the words say that something will not be there."""
        return re.search(_GONE, self.text) is not None

    @property
    def changing(self) -> bool:
        """Whether the words are those of a change of a default or a behaviour."""
        return re.search(_CHANGING, self.text) is not None

    @property
    def switching(self) -> bool:
        """Whether only a default or a behaviour can be meant."""
        return re.search(_SWITCHING, self.text) is not None

    @property
    def replaced(self) -> bool:
        """Whether something "will be replaced by" something: arguably a removal, arguably a change."""
        return re.search(_REPLACED, self.text) is not None


def announcements(project: Project, path: str) -> list[Announcement]:
    """Those of a file's warnings that announce something, in its order."""
    key = ("announcements", path)
    if key not in project.memo:
        project.memo[key] = [found for site in sites(project, path) if (found := _of_site(site)) is not None]
    return project.memo[key]


def noted(project: Project, path: str) -> list[Announcement]:
    """Sentences of a file's docstrings that announce something: ``.. deprecated::``, or a future verb with a release."""
    module = project.module(path)
    return [found for note in (module.notes if module else ()) for found in _of_note(path, note)]


def targets(text: str) -> tuple[list[int], bool]:
    """Releases that a text names as those of a change: their N, and whether any is named.

    The release in which something began, another package's version and the other side of a comparison
    are no targets; "through 0.N" means the release after it.
    """
    found, named = [], False
    for match in re.finditer(_TOKEN, text):
        before = text[: match.start()]
        near = before[-30:]
        if re.search(_PAST, before[-60:]) or re.search(_COMPARED, near) or re.search(_UPSTREAM, near, re.IGNORECASE):
            continue
        if match[2] is None:
            named = named or bool(match[1]) or re.search(_NAMED, near) is not None
            continue
        clause = re.split(_CLAUSE, before)[-1]
        if match[1] or re.search(_WORD, clause):
            named = True
            found.append(int(match[2]) + (re.search(_LAST, near) is not None))
    return found, named


def _of_site(site: Site) -> Announcement | None:
    text = site.text
    if text is None or not (_announces(text, site.category) or _called_so(site)):
        return None
    own, (found, named) = site.helper.replace(HOLE, "").strip(), targets(site.helper)
    if own and _announces(site.helper, site.category) and (found or not named):
        # The helper says it all by itself, so it is judged where it stands, once.
        return None
    found, named = targets(text)
    removal = re.search(_GONE, text) is not None and re.search(_CHANGING, text) is None
    return Announcement(
        site.path, site.warn.line, site.warn.scope or "<module>", text, site, max(found, default=None), named, removal
    )


def _called_so(site: Site) -> bool:
    """Whether a name in the call says what the text does not: a constant or a helper called after deprecation."""
    return re.search(r"deprec(?!ationwarning)", site.warn.call, re.IGNORECASE) is not None and not (
        re.search(_ADVISORY, site.text) or re.search(_ELSEWHERE, site.text) or re.search(_UNAVAILABLE, site.text)
    )


def _announces(text: str, category: str | None) -> bool:
    deprecated = category in ("DeprecationWarning", "PendingDeprecationWarning")
    if not (deprecated or re.search(_HINT, text)) or re.search(_ADVISORY, text) or re.search(_ELSEWHERE, text):
        return False
    if deprecated or re.search(_LEAVING, text):
        return not re.search(_UNAVAILABLE, text)
    if category == "FutureWarning":
        # One about what has already changed announces nothing.
        return re.search(_FUTURE, text) is not None
    if re.search(_PROTOTYPE, text):
        return False
    found, named = targets(text)
    if found and re.search(r"\bwill\b", text):
        return True
    return re.search(_COMING, text) is not None and (named or re.search(_VAGUE, text) is not None)


def _of_note(path: str, note: Note) -> list[Announcement]:
    found = []
    symbol = note.scope or "<module>"
    directive = re.search(r"\.\. deprecated::[^\n]*", note.text)
    if directive:
        text = note.text[directive.end() :]
        line = note.line + note.text[: directive.start()].count("\n")
        # The directive's own version is the one in which the deprecation began.
        versions, named = targets(text)
        return [
            Announcement(path, line, symbol, " ".join(text.split()), None, max(versions, default=None), named, True)
        ]
    if re.search(r"\.\. version(?:changed|added)::", note.text):
        return []
    start = 0
    for end in [match.end() for match in re.finditer(_SENTENCE, note.text)] + [len(note.text)]:
        sentence = note.text[start:end]
        versions, named = targets(sentence)
        if versions and (
            re.search(_COMING, sentence) or re.search(_LEAVING, sentence) or re.search(r"\bwill\b", sentence)
        ):
            blank = len(sentence) - len(sentence.lstrip())
            line = note.line + note.text[: start + blank].count("\n")
            words = " ".join(re.sub(r"^[\s.]*\w+::", "", sentence).split())
            found.append(Announcement(path, line, symbol, words, None, max(versions), named, False))
        start = end
    return found
