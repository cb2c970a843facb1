"""GitHub's API through ghapi, with what ghapi leaves to its callers: patience, pages, names with a slash, one kind of error."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

_TRIES = 5
_PAGE = 100
_SECONDS = 20.0
# By ghapi's group of operations: what a workflow must grant for them.
_PERMISSIONS = {
    "actions": "actions: read",
    "issues": "issues: write and pull-requests: write",
    "pulls": "pull-requests: read",
    "repos": "contents: read",
}


class Failure(Exception):
    """GitHub did not do what it was asked for; the message is one line.

    Args:
        doing: what was asked for, in words.
        status: of the answer; None where there was none.
        said: GitHub's own words.
        permission: what the token must be allowed to.
        wait: seconds that it asks to wait before the next try; None where it does not say.
        limited: whether it refuses because of the number of requests.
    """

    def __init__(
        self,
        doing: str,
        status: int | None,
        said: str,
        permission: str = "",
        wait: float | None = None,
        limited: bool = False,
    ) -> None:
        super().__init__(f"{doing}: GitHub {f'answered {status}' if status else 'gave no answer'} ({said})")
        self.doing = doing
        self.status = status
        self.permission = permission
        self.wait = wait
        self.limited = limited

    @property
    def passing(self) -> bool:
        """Whether the same request may be answered later."""
        return self.limited or self.status is None or self.status == 408 or self.status >= 500

    @property
    def refused(self) -> bool:
        """Whether the token is not allowed to do it: GitHub hides from some tokens that a thing exists."""
        return not self.limited and self.status in (401, 403, 404)


class GitHub:
    """One client for one repository; building it takes a second, so a process has one.

    Args:
        repository: "owner/name".
        token: who asks.
        url: of the API, for example that of GITHUB_API_URL.
        sleep: waits for so many seconds.
        patience: seconds that one request may wait in all.
    """

    def __init__(
        self,
        repository: str,
        token: str,
        url: str,
        sleep: Callable[[float], None] = time.sleep,
        patience: float = 120.0,
    ) -> None:
        from ghapi.core import GhApi

        self.repository = repository
        self.owner, _, self.name = repository.partition("/")
        self.api = GhApi(self.owner, self.name, token, gh_host=url.rstrip("/"), sync=True, timeout=_SECONDS)
        # Read once: ghapi opens a client for each request, which would read all certificates anew.
        self.api.transport.verify = ssl.create_default_context()
        self._sleep = sleep
        self._patience = patience

    def call(self, doing: str, operation: str, *, again: bool = True, **parameters: Any) -> Any:
        """Carries out an operation of ghapi, for example "issues.create_comment", and waits where GitHub asks for it.

        Args:
            doing: what for, in words.
            again: whether it may be repeated when nobody knows whether it was carried out.
            parameters: by name; ghapi takes a wrong order for another thing.

        Raises:
            Failure: GitHub refuses, or still fails after some tries.
        """
        group, _, name = operation.partition(".")
        return self._tried(doing, group, partial(getattr(getattr(self.api, group), name), **parameters), again)

    def delete_label(self, doing: str, issue: int, name: str) -> None:
        """Takes one label off; that it is not there is as good.

        Raises:
            Failure: as for `call`.
        """
        # Only the generic form encodes a slash in a name.
        route = {"owner": self.owner, "repo": self.name, "issue_number": issue, "name": name}
        path = "/repos/{owner}/{repo}/issues/{issue_number}/labels/{name}"
        try:
            self._tried(doing, "issues", partial(self.api, path, "DELETE", route=route), True)
        except Failure as failure:
            if failure.status != 404:
                raise

    def pages(self, doing: str, operation: str, **parameters: Any) -> Iterator[Any]:
        """The items of a list, page after page.

        Raises:
            Failure: as for `call`.
        """
        from ghapi.page import sync_paged

        for page in sync_paged(partial(self.call, doing, operation), per_page=_PAGE, **parameters):
            yield from page
            # ghapi asks until a page is empty; one that is not full is the last.
            if len(page) < _PAGE:
                return

    def _tried(self, doing: str, group: str, request: Callable[[], Any], again: bool) -> Any:
        left = self._patience
        for attempt in range(_TRIES):
            try:
                return request()
            except Exception as error:
                failure = _failure(doing, group, error)
                wait = 2.0**attempt if failure.wait is None else failure.wait
                # A refusal because of a limit was not carried out, so it may always be repeated.
                if not failure.passing or not (again or failure.limited) or attempt == _TRIES - 1 or wait > left:
                    raise failure from error
                left -= wait
                self._sleep(wait)
        raise AssertionError("the last try returns or raises")


def _failure(doing: str, group: str, error: Exception) -> Failure:
    """What went wrong in one form; ghapi's generic calls raise the HTTP client's own errors.

    Raises:
        Exception: the error itself, where it is none of GitHub's or the network's.
    """
    from ghapi.core import APIError

    if not isinstance(error, APIError):
        if isinstance(error, ValueError) and not hasattr(error, "api_error"):
            return Failure(doing, None, "an answer that is no JSON")
        if not hasattr(error, "api_error"):
            raise error
        error = error.api_error()
    headers = getattr(error.response, "headers", {})
    said = " ".join(error.message.split())[:200]
    spent = headers.get("x-ratelimit-remaining") == "0"
    limited = error.status_code == 429 or (
        error.status_code == 403 and (spent or "retry-after" in headers or "rate limit" in said.lower())
    )
    wait = None
    if (seconds := _number(headers.get("retry-after"))) is not None:
        wait = seconds
    elif spent and (moment := _number(headers.get("x-ratelimit-reset"))) is not None:
        # Whole seconds, and clocks differ.
        wait = max(moment - time.time(), 0.0) + 1
    elif limited:
        wait = 60.0
    return Failure(doing, error.status_code, said, _PERMISSIONS.get(group, ""), wait, limited)


def _number(text: str | None) -> float | None:
    return float(text) if text is not None and text.isascii() and text.isdigit() else None
