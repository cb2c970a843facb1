"""``:template:`` of an autosummary names a file that is not there.

What it protects: the look of the generated pages. Sphinx says nothing and takes its own template, so the members that the
other one lists are missing.

Bad: ``:template: rl_template_class.rst`` while ``_templates`` has no such file.

Good: ``:template: rl_template.rst``, which is there.

How to fix: name one of the templates, or add the file. Reported once for each page.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ._public import concerned

SUMMARY = "An autosummary names a template that does not exist"
SEVERITY = "error"
SECTION = "8"
CONCERNS = ("docs",)
NEEDS = ("docs",)
REPEATABLE = True

# What Sphinx brings itself, with the two ways to name it.
_BUILTIN = [name for kind in ("base", "class", "module") for name in (kind, f"autosummary/{kind}.rst")]


def check(change: Change) -> Iterator[Finding]:
    if not concerned(change):
        return
    from ..project.documented import page, template_files, templates

    project = change.project
    known = None
    for path in _judged(change):
        seen = set()
        facts = page(project, path)
        for block in facts.blocks if facts else ():
            if not block.template or block.template in seen:
                continue
            seen.add(block.template)
            known = template_files(project) if known is None else known
            if {block.template, f"autosummary/{block.template}.rst"} & {*known, *_BUILTIN}:
                continue
            folders = ", ".join(templates(project)) or "no folder of templates"
            yield Finding(
                path,
                block.template_line,
                block.template,
                f"{block.template} is in none of Sphinx's template folders ({folders}), so it takes its own template silently",
                f"Name one that is there: {', '.join(sorted(known))}." if known else "Add the file.",
                text=block.template,
            )


def _judged(change: Change) -> list[str]:
    """Changed pages, and all where a template went."""
    from ..project.documented import pages, templates

    project = change.project
    docs = project.profile["docs"]
    if change.before is not None and not change.everything:
        gone = [path for path in change.changed if path.startswith(docs + "/") and path not in project.tree]
        folders = tuple(f"{docs}/{folder}/" for folder in templates(change.before))
        if any(path.startswith(folders) for path in gone):
            return pages(project)
    judged = set(change.judged_under(docs, ".rst"))
    return [path for path in pages(project) if path in judged] if judged else []
