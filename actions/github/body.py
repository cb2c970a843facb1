"""The comment on a pull request: what the stages found, in the room that GitHub gives a comment.

All words come from the pull request and are shown as the text that they are (`hooks.report.markdown`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from torchrl_preflight.checks.record import Check
from torchrl_preflight.checks.record import Report as Smoke
from torchrl_preflight.hooks.finding import SEVERITIES, Finding
from torchrl_preflight.hooks.report import Report
from torchrl_preflight.hooks.report.markdown import block, code, first, section, text
from torchrl_preflight.hooks.report.text import summary

from .results import Results

LIMIT = 65_536 - 8_000
"""Characters of a comment less room for the hidden line before it; counted here as bytes, which are never fewer."""

_FEW, _ROWS = 200, 30
_MISSING = "no result"


class Words(NamedTuple):
    """What the comment says beside the results.

    Args:
        head: commit that was judged.
        run: address of the run that judged it.
        said: further lines, for example about labels.
    """

    head: str
    run: str
    said: tuple[str, ...] = ()


def body(results: Results, words: Words, limit: int = LIMIT) -> str:
    """The comment as markdown, of at most so many bytes.

    The findings that matter most come first; one whose edit leaves no room is shown without it, and what is left out is
    counted.
    """
    head = "\n".join(_head(results, words))
    tail = "\n".join(_tail(results, words))
    room = limit - _size(head) - _size(tail) - 2
    if room < 0:
        # Labels, plan and checks have limits of their own; only thousands of words in each come here.
        tail, room = "", limit - _size(head) - 2
    return f"{head}\n{_findings(results.lint, words, room) if results.lint else ''}{tail}\n"


def chosen(made: Mapping[str, Any]) -> str:
    """A plan in a few words."""
    counts = ((len(made["areas"]), "area"), (len(made["tests"]), "test file"))
    parts = [f"{count} {name}{'s' if count > 1 else ''}" for count, name in counts if count]
    return ", ".join([*parts, *(["GPU needed"] if made["gpu"] else [])]) if made["anything"] else "nothing to run"


def _head(results: Results, words: Words) -> Iterator[str]:
    yield f"### torchrl-preflight: {code(words.head[:12])}"
    yield ""
    if results.lint:
        few = [item._replace(text=_cut(item.text)) for item in results.lint.first[:_ROWS]]
        yield from first(results.lint._replace(first=few))
    yield "| stage | result |"
    yield "|---|---|"
    lint = text(summary(results.lint)) if results.lint else _ended(results.jobs.get("lint"))
    yield f"| lint | {lint} |"
    if results.labels is None:
        yield f"| labels | {_MISSING} |"
    else:
        names = _few([row["label"] for row in results.labels]).replace("|", "\\|")
        yield f"| labels | {names or 'none needed'} |"
    if results.plan is None:
        yield f"| plan | {_ended(results.jobs.get('plan'))} |"
    else:
        yield f"| plan | {chosen(results.plan)} |"
    for name, report in results.smoke.items():
        yield f"| smoke {text(name)} | {_counts(report)} |"
    if not results.smoke:
        nothing = results.plan is not None and not results.plan["anything"]
        yield f"| smoke | {'nothing to run' if nothing else _ended(results.jobs.get('smoke-cpu'))} |"
    if results.gpu:
        yield f"| smoke on a GPU | {text(results.gpu)} |"


def _ended(result: str | None) -> str:
    return f"{_MISSING} (the job ended as {text(result)})" if result else _MISSING


def _counts(report: Smoke) -> str:
    statuses = ("failed", "blocked", "unverified", "passed")
    return ", ".join(f"{report.count(status)} {status}" for status in statuses if report.count(status)) or _MISSING


def _findings(report: Report, words: Words, room: int) -> str:
    """What fits of the findings, worst and new ones first, and how many do not."""
    found = sorted(report.shown, key=lambda item: (SEVERITIES.index(item.severity), not item.new))
    left_out = f"\n{len(found)} more findings are in the [run]({words.run}).\n"
    room -= _size(left_out)
    shown: dict[str, list[str]] = {}
    for finding in found:
        for one in (block(finding), block(_shorter(finding))):
            cost = _size(one) + 2
            if finding.severity not in shown:
                cost += sum(_size(line) + 1 for line in section(finding.severity, len(found), [])) + 2
            if cost <= room:
                break
        else:
            break
        shown.setdefault(finding.severity, []).append(one)
        room -= cost
    lines = []
    for severity, blocks in shown.items():
        lines += ["", *section(severity, sum(item.severity == severity for item in found), blocks)]
    count = sum(map(len, shown.values()))
    text_of_all = "\n".join([*lines, ""]) if lines else ""
    if count == len(found):
        return text_of_all
    more = len(found) - count
    return f"{text_of_all}\n{more} more {'findings are' if more > 1 else 'finding is'} in the [run]({words.run}).\n"


def _shorter(finding: Finding) -> Finding:
    """A finding without its edit, its long words cut."""

    def cut(one: str) -> str:
        return one if len(one) <= _FEW else one[:_FEW] + "..."

    return finding._replace(
        edit=None, also_touch=(), message=cut(finding.message), hint=cut(finding.hint), verify=cut(finding.verify)
    )


def _tail(results: Results, words: Words) -> Iterator[str]:
    rows = results.labels or []
    starting = [row for row in rows if row["jobs"]]
    if starting:
        yield ""
        yield "Labels that start jobs (one that a workflow sets starts none: set what is missing, then push again or re-run):"
        yield ""
        for row in starting[:_ROWS]:
            yield f"- {code(row['label'])} starts {_few(row['jobs'])}: {text(_cut(row['reason']))}"
        yield from _more(len(starting))
    for name, report in results.smoke.items():
        listed = sorted((it for it in report.checks if it.status != "passed"), key=_order)
        if listed:
            yield ""
            yield f"Smoke checks, {text(name)}:"
            yield ""
            for check in listed[:_ROWS]:
                yield f"- {check.status} {code(check.id[:_FEW])}: {text(_cut(check.reason))}" + (
                    f" What to do: {text(_cut(check.hint))}" if check.hint else ""
                )
            yield from _more(len(listed))
    notes = [*words.said, *[text(_cut(note)) for note in (results.lint.notes if results.lint else [])]]
    notes += [text(_cut(line)) for line in results.refused]
    if notes:
        yield ""
        yield from (f"- {note}" for note in notes[:_ROWS])
        yield from _more(len(notes))
    yield ""
    yield f"Judged commit {code(words.head)} in [this run]({words.run}). On your machine: {code('torchrl-preflight')}"


def _order(check: Check) -> int:
    return ("failed", "blocked", "unverified").index(check.status)


def _more(count: int) -> list[str]:
    return [f"- and {count - _ROWS} more"] if count > _ROWS else []


def _few(names: list[str]) -> str:
    return ", ".join([*map(code, names[:6]), *([f"{len(names) - 6} more"] if len(names) > 6 else [])])


def _cut(words: str) -> str:
    return words if len(words) <= 2 * _FEW else words[: 2 * _FEW] + "..."


def _size(words: str) -> int:
    return len(words.encode("utf-8", "replace"))
