"""A loss that does not say which tensordict keys it takes, or says it wrongly.

What it protects: users with tensordicts of their own naming. ``loss.set_keys(action="my_action")`` works for the
fields of the nested ``_AcceptedKeys`` dataclass and for nothing else.

A dataclass that a base between the loss and ``LossModule`` declares counts. Where there is one, a key that is
read but not declared fails at run time, and a declared key that nothing reads is renamed to no effect.

Bad:

    class BCLoss(LossModule):
        def forward(self, tensordict):
            target = tensordict.get("action")

Good:

    class BCLoss(LossModule):
        @dataclass
        class _AcceptedKeys:
            action: NestedKey = "action"

        def forward(self, tensordict):
            target = tensordict.get(self.tensor_keys.action)

How to fix: declare each key as a field of ``_AcceptedKeys`` and read it through ``self.tensor_keys``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..change import Change
from ..facts.records import Class
from ..finding import Finding
from ..project import Project
from ..project.bodies import lines
from ..project.modules import children
from ..project.mro import Link

SUMMARY = "A loss without _AcceptedKeys, or whose declared keys are not those that it reads"
SEVERITY = "error"
SECTION = "4"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("objectives",)

_READ = re.compile(r"\bself\._?tensor_keys\.([A-Za-z]\w*)")
_USES = (re.compile(r"\.(\w+)"), re.compile(r"(?<=['\"])\w+(?=['\"])"), re.compile(r"\b(\w+)="))

ROOT = "LossModule"
KEYS = "_AcceptedKeys"


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        for record, line in children(project, path, ROOT):
            own = [link for link in line if link.project and link.name != ROOT]
            declaring = [link for link in own if _declared(link) is not None]
            if not declaring:
                if all(link.project for link in line[: [link.name for link in line].index(ROOT)]):
                    yield Finding(
                        path,
                        record.line,
                        record.qualname,
                        f"{record.name} has no {KEYS}, so set_keys() cannot name its tensordict keys",
                        f"Declare a nested dataclass {KEYS} with a NestedKey field for each, read as self.tensor_keys.",
                        text=KEYS,
                        verify="torchrl-smoke loss-keys " + record.name,
                    )
                continue
            yield from _undeclared(path, record, own, declaring)
            if declaring[0].record is record:
                yield from _unread(project, path, record, line)


def _declared(link: Link) -> dict[str, int] | None:
    """Fields of the dataclass that a class holds itself, with their lines."""
    scope = f"{link.name}.{KEYS}"
    module = link.project.module(link.path)
    if not any(item.qualname == scope for item in module.classes):
        return None
    return {item.name: item.line for item in module.assigns if item.scope == scope}


def _undeclared(path: str, record: Class, own: list[Link], declaring: list[Link]) -> Iterator[Finding]:
    nearest = declaring[0]
    inner = next(
        item for item in nearest.project.module(nearest.path).classes if item.qualname == f"{nearest.name}.{KEYS}"
    )
    known = set().union(*(_declared(link) for link in (declaring if inner.bases else declaring[:1])))
    seen = set()
    for number, text in _code(own[0]):
        for name in _READ.findall(text) if "tensor_keys" in text else ():
            if name not in known | seen and not name.startswith("_"):
                seen.add(name)
                yield Finding(
                    path,
                    number,
                    f"{record.qualname}.{name}",
                    f"self.tensor_keys.{name} is read, and {nearest.name}.{KEYS} declares no {name}",
                    f'Declare {name}: NestedKey = "{name}" in {KEYS}.',
                    text=f"undeclared {name}",
                )


def _unread(project: Project, path: str, record: Class, line: tuple[Link, ...]) -> Iterator[Finding]:
    used = set().union(*(_used(link) for link in line if link.project))
    for name, number in _declared(line[0]).items():
        if name not in used:
            yield Finding(
                path,
                number,
                f"{record.qualname}.{name}",
                f"{KEYS} declares {name}, and nothing of {record.name} reads it",
                f"Read it through self.tensor_keys.{name}, or delete the field.",
                text=f"unread {name}",
                severity="warning",
            )


def _used(link: Link) -> set[str]:
    """Attributes and keywords in a class, and names in quotes: the base passes keys on by their names."""
    key = ("names of a loss", link.path, link.name)
    if key not in link.project.memo:
        code = "".join(text for _, text in _code(link))
        link.project.memo[key] = {name for use in _USES for name in use.findall(code)}
    return link.project.memo[key]


def _code(link: Link) -> list[tuple[int, str]]:
    """Numbered lines of a class without those of its keys and of docstrings."""
    key = ("code of a loss", link.path, link.name)
    if key not in link.project.memo:
        module = link.project.module(link.path)
        left_out: set[int] = set()
        for item in module.classes:
            if item.qualname == f"{link.name}.{KEYS}":
                left_out.update(range(item.line, item.end_line + 1))
        for item in (*module.functions, *module.classes):
            if item.doc and (item.qualname == link.name or item.qualname.startswith(link.name + ".")):
                left_out.update(range(item.doc[0], item.doc[1] + 1))
        text = lines(link.project, link.path)
        numbers = range(link.record.line, link.record.end_line + 1)
        link.project.memo[key] = [(number, text[number - 1]) for number in numbers if number not in left_out]
    return link.project.memo[key]
