"""Which findings the target has answered: by a comment at the place, or by a waiver."""

from __future__ import annotations

from .facts.records import Module, Suppression
from .finding import Finding
from .project import Project


def suppress(project: Project, findings: list[Finding]) -> list[Finding]:
    """Sets ``suppressed`` to what answers a finding: ``path:line rule`` or ``waiver rule symbol``."""
    return [finding._replace(suppressed=_answer(project, finding)) for finding in findings]


def _answer(project: Project, finding: Finding) -> str:
    module = project.module(finding.path) if finding.path.endswith(".py") else None
    for item in module.suppressions if module and finding.line else ():
        if finding.rule in item.rules and _applies(item, finding.line, module):
            return f"{finding.path}:{item.line} {finding.rule}"
    for waiver in project.profile.waivers:
        if waiver.rule == finding.rule and waiver.symbol == finding.symbol:
            return f"waiver {finding.rule} {finding.symbol}"
    return ""


def _applies(item: Suppression, line: int, module: Module) -> bool:
    """On the line, or on a line of its own above the statement, decorators included."""
    if item.line == line:
        return True
    if not item.own_line:
        return False
    first = line
    for definition in (*module.functions, *module.classes):
        if definition.line == line and definition.decorators:
            first = definition.decorators[0].line
    return item.line in (line - 1, first - 1)
