"""A first look at two trees: which definitions of the one lack something in the other. Cheap, and mostly the last."""

from __future__ import annotations

from . import Project


def lacking(old: Project, new: Project) -> set[tuple[str, str]]:
    """(file, outermost name) of what a public API can depend on and that changed or went; empty when only things were added."""
    package = old.profile["package"] + "/"
    found = set()
    for path in old.tree.changed(new.tree):
        if path.startswith(package) and path.endswith(".py") and path in old.tree:
            found |= {(path, name) for name, _ in _surface(old, path) - _surface(new, path)}
    return found


def _surface(project: Project, path: str) -> set[tuple]:
    """What the public API can depend on in a file, without lines: (outermost name, the rest)."""
    module = project.module(path)
    if module is None:
        return set()
    found: set[tuple] = {(item.bound, item[:4]) for item in module.imports if item.scope in ("", "__getattr__")}
    for item in module.assigns:
        if not item.scope:
            # A list of exports may lose one of many; its names are compared one by one.
            found |= {(item.name, part) for part in (item.value.split() if item.name == "__all__" else [item[:4]])}
        else:
            found.add((item.scope.partition(".")[0], item[:4]))
    for item in module.functions:
        taken = tuple((parameter.name, parameter.kind, parameter.default) for parameter in item.parameters)
        found.add((item.qualname.partition(".")[0], (item.qualname, taken)))
    for item in module.classes:
        found.add((item.qualname.partition(".")[0], (item.qualname, item.bases, item.keywords)))
    return found
