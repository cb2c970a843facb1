"""What is looked at: the checkout here, or else the torchrl that is installed; nothing is imported."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from torchrl_preflight.hooks.git import NoRepository
from torchrl_preflight.hooks.project import Project
from torchrl_preflight.hooks.run import Options, open_project


@contextlib.contextmanager
def opened(repo: str = ".") -> Iterator[Project | None]:
    """The project in a folder; the installed torchrl where that is no checkout of it; None where there is neither.

    Raises:
        ConfigError: the target's configuration is wrong.
        GitError: a folder was named, and it is no repository; or there is one here that git does not read.
    """
    with contextlib.ExitStack() as stack:
        project = None
        try:
            project = _opened(Options(repo=repo), stack)
        except NoRepository:
            if repo != ".":
                raise
        if project is None and repo == ".":
            found = find_spec("torchrl")
            if found is not None and found.submodule_search_locations:
                package = Path(next(iter(found.submodule_search_locations)))
                project = _opened(Options(repo=str(package.parent), package=package.name), stack)
        yield project


def _opened(options: Options, stack: contextlib.ExitStack) -> Project | None:
    project, store, git = open_project(options)
    stack.callback(store.close)
    if git is not None:
        stack.callback(git.close)
    return project
