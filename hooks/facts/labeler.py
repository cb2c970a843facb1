"""Facts of the configuration of GitHub's labeler (actions/labeler, version 5), with positions.

Read as the action reads it: a list of entries for each label; ``changed-files``, ``base-branch`` and ``head-branch``
outside of ``any`` and ``all`` join the first ``any``; a label's blocks must all hold.
"""

from __future__ import annotations

import re
from typing import Any

from .records import Failure
from .records_ci import Block, Config, Fault, Label, Labels, Match, Pattern

_FILES = ("any-glob-to-any-file", "any-glob-to-all-files", "all-globs-to-any-file", "all-globs-to-all-files")
_BRANCHES = ("base-branch", "head-branch")
_LIMIT = "changed-files-labels-limit"


def labels(data: bytes) -> Labels:
    """Facts of the bytes; what is no YAML is a ``failure`` with its line, what is no configuration a fault."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(data, loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        return Labels(Failure("syntax", what, mark.line + 1 if mark else 1, mark.column + 1 if mark else 1), (), ())
    except (RecursionError, ValueError) as error:
        return Labels(Failure("syntax", str(error).splitlines()[0], 1, 1), (), ())
    if root is not None and root.id != "mapping":
        return Labels(Failure("syntax", "not a mapping of labels", root.start_mark.line + 1, 1), (), ())
    reader = _Reader()
    for key, value in root.value if root is not None else ():
        if key.id == "scalar" and key.value != _LIMIT:
            reader.label(key.value, key.start_mark.line + 1, value)
    return Labels(None, tuple(reader.found), tuple(reader.faults))


class _Reader:
    def __init__(self) -> None:
        self.found: list[Label] = []
        self.faults: list[Fault] = []
        self.name = ""

    def fault(self, node: Any, message: str, stops: bool = True) -> None:
        self.faults.append(Fault(self.name, node.start_mark.line + 1, message, stops))

    def label(self, name: str, line: int, node: Any) -> None:
        self.name = name
        if node.id != "sequence":
            self.fault(
                node,
                f"{name} has no list of entries" + (", as in version 4 of the labeler" if node.id == "scalar" else ""),
            )
            return
        blocks: list[tuple[str, list[Config]]] = []
        for entry in node.value:
            if entry.id != "mapping":
                self.fault(
                    entry,
                    f"{name} lists a bare glob, as in version 4 of the labeler; version 5 wants changed-files and an option",
                )
                continue
            for key, value in entry.value:
                self.entry(key, value, blocks)
        if blocks:
            self.found.append(Label(name, line, tuple([Block(kind, tuple(configs)) for kind, configs in blocks])))

    def entry(self, key: Any, value: Any, blocks: list[tuple[str, list[Config]]]) -> None:
        if key.value in ("any", "all"):
            if value.id != "sequence":
                self.fault(value, f"{self.name}: {key.value} has no list of entries, and is passed over", stops=False)
                return
            configs = []
            for item in value.value:
                if item.id == "mapping":
                    configs.append(self.config(item.value))
                else:
                    self.fault(
                        item,
                        f"{self.name}: {key.value} lists a bare glob, as in version 4 of the labeler; it matches nothing",
                        False,
                    )
                    configs.append(Config(()))
            blocks.append((key.value, configs))
        elif key.value == "changed-files" or key.value in _BRANCHES:
            config = self.config([(key, value)])
            first = next((configs for kind, configs in blocks if kind == "any"), None)
            if first is None:
                blocks.append(("any", [config]))
            else:
                first.append(config)
        else:
            self.fault(key, f"{self.name}: the labeler knows no {key.value!r} and passes it over", stops=False)

    def config(self, pairs: list[tuple[Any, Any]]) -> Config:
        matches: list[Match] = []
        for key, value in pairs:
            if key.value == "changed-files":
                matches += self.files(value)
            elif key.value in _BRANCHES:
                patterns = self.patterns(value)
                for pattern in patterns:
                    self.expression(value, pattern)
                matches.append(Match(key.value, patterns))
            else:
                self.fault(key, f"{self.name}: the labeler knows no {key.value!r} and passes it over", stops=False)
        return Config(tuple(matches))

    def files(self, node: Any) -> list[Match]:
        found = []
        for item in node.value if node.id == "sequence" else [node]:
            if item.id != "mapping":
                # A bare glob is any-glob-to-any-file.
                found.append(Match(_FILES[0], self.globs(item)))
                continue
            for key, value in item.value:
                if key.value in _FILES:
                    found.append(Match(key.value, self.globs(value)))
                else:
                    self.fault(
                        key, f"{self.name}: changed-files has no option {key.value!r}; it has {', '.join(_FILES)}"
                    )
        return found

    def globs(self, node: Any) -> tuple[Pattern, ...]:
        patterns = self.patterns(node)
        for pattern in patterns:
            if "\\" in pattern.text:
                self.faults.append(
                    Fault(
                        self.name,
                        pattern.line,
                        f"{self.name}: the backslash in {pattern.text!r} quotes the next character and separates no folders; paths have slashes",
                        False,
                    )
                )
        return patterns

    def expression(self, node: Any, pattern: Pattern) -> None:
        try:
            re.compile(python_expression(pattern.text))
        except (re.error, RecursionError, OverflowError) as error:
            self.faults.append(
                Fault(self.name, pattern.line, f"{self.name}: {pattern.text!r} is no regular expression: {error}", True)
            )

    def patterns(self, node: Any) -> tuple[Pattern, ...]:
        items = node.value if node.id == "sequence" else [node]
        return tuple([Pattern(item.value, item.start_mark.line + 1) for item in items if item.id == "scalar"])


def python_expression(text: str) -> str:
    """A regular expression of JavaScript in Python's spelling."""
    return re.sub(r"\(\?<(?![=!])", "(?P<", text)
