"""The tests that a change may concern."""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..project.tests import Test, collected, is_test_file


def judged_tests(change: Change) -> Iterator[Test]:
    """Tests of the judged files, and of those that import a judged helper."""
    folder = change.project.profile["tests"]
    for path in change.with_importers(folder):
        if is_test_file(path, folder):
            yield from collected(change.project, path)
