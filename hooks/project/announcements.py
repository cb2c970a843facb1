"""What a tree announces: which warnings and docstring notes tell of a deprecation or a coming change, and for which release."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..facts.records import Note
from . import Project
from .messages import HOLE, Site, sites

_LEAVING = re.compile(r"\bde(?:pre|rpe)cat|\bwill (?:\w+ )?be (?:\w+ )?removed|\bto be removed|\bremoved soon|\bwill (?:\w+ )?disappear"
                      r"|\bwill (?:\w+ )?be (?:\w+ )?disabled|\b(?:has|have) moved", re.IGNORECASE)
_GONE = re.compile(r"\bremoved\b|\bdisappear|\bwill (?:\w+ )?be (?:\w+ )?disabled|\b(?:has|have) moved", re.IGNORECASE)
_SWITCHING = re.compile(r"\bdefault|\bbehaviou?r|\bwill (?:\w+ )?(?:change|switch)", re.IGNORECASE)
_CHANGING = re.compile(r"\bdefault|\bbehaviou?r|\bwill (?:\w+ )?(?:change|switch|become|raise|trigger|stop|append|ignore|use"
                       r"|be (?:replaced|turned|changed|ignored|treated|set|used|`|True|False|None))", re.IGNORECASE)
_COMING = re.compile(r"\bwill (?:\w+ )?(?:change|be replaced|switch|be turned|default|raise|trigger|stop)\b", re.IGNORECASE)
_VAGUE = re.compile(r"\bsoon\b|\bfuture (?:\w+ )?(?:versions?|releases?)", re.IGNORECASE)
_FUTURE = re.compile(r"\bwill\b|\bsoon\b|\bfuture\b", re.IGNORECASE)
_REPLACED = re.compile(r"\bwill be replaced by\b", re.IGNORECASE)
# What only looks like an announcement: a notice that says it will become one, something already
# unavailable, a prototype, another project's deprecation.
_ADVISORY = re.compile(r"will become an? \w*(?:Deprecation|Future)Warning", re.IGNORECASE)
_UNAVAILABLE = re.compile(r"\bno longer available\b", re.IGNORECASE)
_PROTOTYPE = re.compile(r"\b(?:experimental|prototype)\b", re.IGNORECASE)
_UPSTREAM = r"(?<![\w.])(?:gym|gymnasium|torchvision|vllm|brax|torch|tensordict|jax)(?!\w|\.\w)"
_ELSEWHERE = re.compile(rf"deprecated (?:in|by|since|as of|from) {_UPSTREAM}", re.IGNORECASE)

_TOKEN = re.compile(rf"(?<![\w.{HOLE}])(v?)(?:0\.(\d+)(?:\.\d+)?(?![\w%{HOLE}])|[\d.]*{HOLE}(?:[\d.]*{HOLE})*)", re.IGNORECASE)
_WORD = re.compile(r"\b(?:in|from|until|by|as of|version|release|torchrl|through)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.;:!?,]\s|\n\s*\n")
_PAST = re.compile(r"(?:\bsince|\bprior to|\bpre-|\b(?:has|have) been removed in|\bwas removed in|\b(?:been|was|were) deprecated (?:in|as of|from|with)"
                   r"|\bcurrently \(|\b(?:introduced|added|new) in)\s*(?:torchrl )?(?:version |release )?$", re.IGNORECASE)
_LAST = re.compile(r"\bthrough\s+(?:torchrl )?(?:version |release )?$", re.IGNORECASE)
_NAMED = re.compile(r"(?:\b(?:version|release|torchrl)|\b(?:remov\w*|chang\w*|deprecated|disabled|disappear\w*|default\w*|error|moved)"
                    r" (?:in|from|by|as of))\s*$", re.IGNORECASE)
_COMPARED = re.compile(r"[<>=!~]=?\s*$")

_SENTENCE = re.compile(r"[.!?](?:\s|$)")


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
        return _LEAVING.search(self.text) is not None

    @property
    def gone(self) -> bool:
        """Whether the words say that something will not be there."""
        return _GONE.search(self.text) is not None

    @property
    def changing(self) -> bool:
        """Whether the words are those of a change of a default or a behaviour."""
        return _CHANGING.search(self.text) is not None

    @property
    def switching(self) -> bool:
        """Whether only a default or a behaviour can be meant."""
        return _SWITCHING.search(self.text) is not None

    @property
    def replaced(self) -> bool:
        """Whether something "will be replaced by" something: arguably a removal, arguably a change."""
        return _REPLACED.search(self.text) is not None


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
    for match in _TOKEN.finditer(text):
        before = text[: match.start()]
        near = before[-30:]
        if _PAST.search(before[-60:]) or _COMPARED.search(near) or re.search(_UPSTREAM, near, re.IGNORECASE):
            continue
        if match[2] is None:
            named = named or bool(match[1]) or _NAMED.search(near) is not None
            continue
        clause = _CLAUSE.split(before)[-1]
        if match[1] or _WORD.search(clause):
            named = True
            found.append(int(match[2]) + (_LAST.search(near) is not None))
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
    removal = _GONE.search(text) is not None and _CHANGING.search(text) is None
    return Announcement(
        site.path, site.warn.line, site.warn.scope or "<module>", text, site, max(found, default=None), named, removal
    )


def _called_so(site: Site) -> bool:
    """Whether a name in the call says what the text does not: a constant or a helper called after deprecation."""
    return re.search(r"deprec(?!ationwarning)", site.warn.call, re.IGNORECASE) is not None and not (
        _ADVISORY.search(site.text) or _ELSEWHERE.search(site.text) or _UNAVAILABLE.search(site.text)
    )


def _announces(text: str, category: str | None) -> bool:
    if _ADVISORY.search(text) or _ELSEWHERE.search(text):
        return False
    found, named = targets(text)
    if _LEAVING.search(text):
        return not _UNAVAILABLE.search(text)
    if category in ("DeprecationWarning", "PendingDeprecationWarning"):
        return not _UNAVAILABLE.search(text)
    if category == "FutureWarning":
        # One about what has already changed announces nothing.
        return _FUTURE.search(text) is not None
    if _PROTOTYPE.search(text):
        return False
    return bool(found) and re.search(r"\bwill\b", text) is not None or (
        _COMING.search(text) is not None and (named or _VAGUE.search(text) is not None)
    )


def _of_note(path: str, note: Note) -> list[Announcement]:
    found = []
    symbol = note.scope or "<module>"
    directive = re.search(r"\.\. deprecated::[^\n]*", note.text)
    if directive:
        text = note.text[directive.end() :]
        line = note.line + note.text[: directive.start()].count("\n")
        # The directive's own version is the one in which the deprecation began.
        versions, named = targets(text)
        return [Announcement(path, line, symbol, " ".join(text.split()), None, max(versions, default=None), named, True)]
    if re.search(r"\.\. version(?:changed|added)::", note.text):
        return []
    start = 0
    for end in [match.end() for match in _SENTENCE.finditer(note.text)] + [len(note.text)]:
        sentence = note.text[start:end]
        versions, named = targets(sentence)
        if versions and (_COMING.search(sentence) or _LEAVING.search(sentence) or re.search(r"\bwill\b", sentence)):
            blank = len(sentence) - len(sentence.lstrip())
            line = note.line + note.text[: start + blank].count("\n")
            words = " ".join(re.sub(r"^[\s.]*\w+::", "", sentence).split())
            found.append(Announcement(path, line, symbol, words, None, max(versions), named, False))
        start = end
    return found
