"""A small GitHub: the operations that are used, with their state, every request and answer held against GitHub's own description.

    with Fake() as fake:
        fake.open_pull(...)
        GitHub(fake.repository, "token", fake.url)

What a test wants to go wrong is planted with ``fake.fail``. Leaving the block raises what was not as described.
"""

from __future__ import annotations

import copy
import io
import json
import re
import socket
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from openapi_core import OpenAPI
from openapi_core.testing import MockRequest, MockResponse

DATA = Path(__file__).parent / "data"
BOT = "github-actions[bot]"
DROP = 0
"""As a status: the connection is closed without an answer."""


@cache
def description() -> OpenAPI:
    """What requests and answers are held against."""
    return OpenAPI.from_dict(json.loads((DATA / "api.json").read_bytes()))


@cache
def _events() -> str:
    return (DATA / "events.json").read_text()


def event(name: str) -> dict[str, Any]:
    """GitHub's example payload of an event, to be changed at will."""
    return json.loads(_events())[name]


class Call(NamedTuple):
    """A request as it arrived; ``path`` is still encoded."""

    verb: str
    path: str
    query: dict[str, str]
    body: Any
    login: str


class Failure(NamedTuple):
    """An answer that comes instead of the right one.

    Args:
        times: how often; None is always.
        after: the right thing happens first, only its answer is lost.
        slow: seconds before the answer.
    """

    verb: str
    path: str
    status: int
    headers: dict[str, str]
    message: str
    times: int | None
    after: bool
    slow: float


class Fake:
    """The server, listening on the loopback address while its ``with`` block lasts.

    Args:
        repository: "owner/name".
    """

    def __init__(self, repository: str = "pytorch/rl") -> None:
        self.repository = repository
        self._lock = threading.RLock()
        self.forget()

    def forget(self) -> None:
        """Begins anew at the same address."""
        self.calls: list[Call] = []
        self.wrong: list[str] = []
        self.pulls: dict[int, dict[str, Any]] = {}
        self.comments: dict[int, list[dict[str, Any]]] = {}
        self.labels: dict[int, list[str]] = {}
        self.history: dict[int, list[dict[str, Any]]] = {}
        self.artifacts: dict[int, list[dict[str, Any]]] = {}
        self.zips: dict[int, bytes] = {}
        self.runs: list[dict[str, Any]] = []
        self.files: dict[tuple[str, str], bytes] = {}
        self.logins = {"token": BOT}
        """Token -> whose it is."""
        self.before: Callable[[Call], None] = lambda call: None
        """Called with each request before it is carried out; may change the state or send requests of its own."""
        self.storage_headers: list[dict[str, str]] = []
        self._failures: list[Failure] = []
        self._used: dict[int, int] = {}
        self._next = 1000

    def __enter__(self) -> Fake:
        fake = self

        class Handler(_Handler):
            github = fake

        self._servers = [_Server(("127.0.0.1", 0), Handler), _Server(("127.0.0.1", 0), _Storage)]
        self._servers[1].github = fake
        for server in self._servers:
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._servers[0].server_port}"
        # Another name, as GitHub's storage is another host: the token must stay behind.
        self.storage = f"http://localhost:{self._servers[1].server_port}"
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()
        if kind is None:
            self.check()

    def check(self) -> None:
        """Raises what was not as described."""
        assert self.wrong == []

    # What a test arranges

    def fail(
        self,
        verb: str,
        path: str,
        status: int,
        headers: dict[str, str] | None = None,
        message: str = "",
        times: int | None = None,
        after: bool = False,
        slow: float = 0.0,
    ) -> None:
        """Plants a failure for requests whose path, after the repository's, matches a pattern."""
        self._failures.append(Failure(verb, path, status, headers or {}, message or str(status), times, after, slow))

    def open_pull(
        self, number: int = 7, head: str = "a" * 40, branch: str = "topic", owner: str = "fork"
    ) -> dict[str, Any]:
        """Opens a pull request from ``owner``'s repository."""
        pull = copy.deepcopy(event("pull_request")["pull_request"])
        name = self.repository.partition("/")[2]
        pull |= {"number": number, "labels": [], "title": "[Feature] A title", "body": "What it does."}
        pull["head"] |= {"sha": head, "ref": branch, "label": f"{owner}:{branch}"}
        pull["head"]["repo"] |= {"full_name": f"{owner}/{name}", "name": name}
        pull["base"]["repo"] |= {"full_name": self.repository, "name": name}
        self.pulls[number] = pull
        self.comments.setdefault(number, [])
        self.labels.setdefault(number, [])
        self.history.setdefault(number, [])
        return pull

    def comment(self, number: int, body: str, login: str = BOT) -> dict[str, Any]:
        """Lets somebody comment."""
        with self._lock:
            made = copy.deepcopy(event("issue_comment")["comment"])
            made |= {"id": self._id(), "body": body, "user": self._user(login)}
            made["html_url"] = f"https://github.com/{self.repository}/pull/{number}#issuecomment-{made['id']}"
            self.comments[number].append(made)
            return made

    def set_label(self, number: int, name: str, login: str) -> None:
        """Lets somebody set a label."""
        with self._lock:
            if name not in self.labels[number]:
                self.labels[number].append(name)
                self._note(number, "labeled", name, login)

    def remove_label(self, number: int, name: str, login: str) -> None:
        """Lets somebody remove a label."""
        with self._lock:
            self.labels[number].remove(name)
            self._note(number, "unlabeled", name, login)

    def finish_run(
        self, run: int, head: str, artifacts: dict[str, bytes], branch: str = "topic", owner: str = "fork"
    ) -> dict[str, Any]:
        """A run of the workflow on a pull request ends, with its artifacts as zip files; gives the payload that follows."""
        payload = event("workflow_run")
        name = self.repository.partition("/")[2]
        payload["workflow_run"] |= {
            "id": run,
            "head_sha": head,
            "head_branch": branch,
            "event": "pull_request",
            "status": "completed",
            "conclusion": "success",
            "pull_requests": [],
            "run_attempt": 1,
        }
        payload["workflow_run"]["head_repository"] |= {"full_name": f"{owner}/{name}", "name": name}
        payload["workflow_run"]["head_repository"]["owner"] |= {"login": owner}
        self.runs.append(payload["workflow_run"])
        self.artifacts[run] = []
        for title, data in artifacts.items():
            number = self._id()
            self.zips[number] = data
            address = f"{self.url}/repos/{self.repository}/actions/artifacts/{number}"
            when = "2026-01-01T00:00:00Z"
            self.artifacts[run].append(
                {
                    "id": number,
                    "node_id": "x",
                    "name": title,
                    "size_in_bytes": len(data),
                    "url": address,
                    "archive_download_url": f"{address}/zip",
                    "expired": False,
                    "created_at": when,
                    "expires_at": when,
                    "updated_at": when,
                }
            )
        return payload

    # What the server does

    def answer(self, call: Call) -> tuple[int, dict[str, str], Any]:
        """Status, headers and content of the right answer."""
        path = call.path.removeprefix(f"/repos/{self.repository}")
        for (verb, pattern), carry_out in self._routes().items():
            found = re.fullmatch(pattern, path)
            if found and verb == call.verb:
                with self._lock:
                    return carry_out(call, *map(unquote, found.groups()))
        return 404, {}, {"message": "Not Found"}

    def _routes(self) -> dict[tuple[str, str], Callable[..., tuple[int, dict[str, str], Any]]]:
        return {
            ("GET", r"/user"): self._whoami,
            ("GET", r"/pulls"): self._list_pulls,
            ("GET", r"/pulls/(\d+)"): self._pull,
            ("GET", r"/contents/(.+)"): self._content,
            ("GET", r"/issues/(\d+)/comments"): lambda call, number: self._page(call, self.comments, number),
            ("POST", r"/issues/(\d+)/comments"): self._post_comment,
            ("PATCH", r"/issues/comments/(\d+)"): self._patch_comment,
            ("DELETE", r"/issues/comments/(\d+)"): self._delete_comment,
            ("GET", r"/issues/(\d+)/events"): lambda call, number: self._page(call, self.history, number),
            ("GET", r"/issues/(\d+)/labels"): lambda call, number: self._page(
                call, {key: [_label(name) for name in names] for key, names in self.labels.items()}, number
            ),
            ("POST", r"/issues/(\d+)/labels"): self._post_label,
            ("DELETE", r"/issues/(\d+)/labels/([^/]+)"): self._delete_label,
            ("GET", r"/actions/runs/(\d+)/artifacts"): self._list_artifacts,
            ("GET", r"/actions/artifacts/(\d+)/zip"): lambda call, number: (
                302,
                {"Location": f"{self.storage}/{number}"},
                None,
            ),
            ("GET", r"/actions/workflows/(\d+)/runs"): self._list_runs,
        }

    def _whoami(self, call: Call) -> tuple[int, dict[str, str], Any]:
        if call.login.endswith("[bot]"):
            return 403, {}, {"message": "Resource not accessible by integration"}
        more: dict[str, Any] = dict.fromkeys(("bio", "blog", "company", "email", "hireable", "location", "name"))
        when = "2026-01-01T00:00:00Z"
        counts = dict.fromkeys(("followers", "following", "public_gists", "public_repos"), 0)
        return (
            200,
            {},
            {
                **self._user(call.login),
                **more,
                **counts,
                "created_at": when,
                "updated_at": when,
                "user_view_type": "public",
            },
        )

    def _list_pulls(self, call: Call) -> tuple[int, dict[str, str], Any]:
        wanted, state = call.query.get("head"), call.query.get("state", "open")
        found = [
            pull
            for pull in self.pulls.values()
            if (wanted is None or pull["head"]["label"] == wanted) and state in ("all", pull["state"])
        ]
        return self._page(call, {0: found}, 0)

    def _pull(self, call: Call, number: str) -> tuple[int, dict[str, str], Any]:
        pull = self.pulls.get(int(number))
        return (200, {}, self._with_labels(pull)) if pull else (404, {}, {"message": "Not Found"})

    def _with_labels(self, pull: dict[str, Any]) -> dict[str, Any]:
        return {**pull, "labels": [_label(name) for name in self.labels[pull["number"]]]}

    def _content(self, call: Call, path: str) -> tuple[int, dict[str, str], Any]:
        import base64

        data = self.files.get((call.query.get("ref", ""), path))
        if data is None:
            return 404, {}, {"message": "Not Found"}
        address = "https://example.org"
        return (
            200,
            {},
            {
                "type": "file",
                "encoding": "base64",
                "size": len(data),
                "name": path.rpartition("/")[2],
                "path": path,
                "content": base64.encodebytes(data).decode(),
                "sha": "c" * 40,
                "url": address,
                "git_url": address,
                "html_url": address,
                "download_url": address,
                "_links": dict.fromkeys(("git", "html", "self"), address),
            },
        )

    def _post_comment(self, call: Call, number: str) -> tuple[int, dict[str, str], Any]:
        if len(call.body["body"]) > 65536:
            return 422, {}, {"message": "Validation Failed", "documentation_url": "", "errors": [{"code": "too_long"}]}
        return 201, {}, self.comment(int(number), call.body["body"], call.login)

    def _patch_comment(self, call: Call, number: str) -> tuple[int, dict[str, str], Any]:
        for comment in self._all_comments():
            if comment["id"] == int(number):
                comment["body"] = call.body["body"]
                return 200, {}, comment
        return 404, {}, {"message": "Not Found"}

    def _delete_comment(self, call: Call, number: str) -> tuple[int, dict[str, str], Any]:
        for comments in self.comments.values():
            for comment in comments:
                if comment["id"] == int(number):
                    comments.remove(comment)
                    return 204, {}, None
        return 404, {}, {"message": "Not Found"}

    def _all_comments(self) -> Iterator[dict[str, Any]]:
        for comments in self.comments.values():
            yield from comments

    def _post_label(self, call: Call, number: str) -> tuple[int, dict[str, str], Any]:
        for name in call.body["labels"]:
            self.set_label(int(number), name, call.login)
        return 200, {}, [_label(name) for name in self.labels[int(number)]]

    def _delete_label(self, call: Call, number: str, name: str) -> tuple[int, dict[str, str], Any]:
        if name not in self.labels[int(number)]:
            return 404, {}, {"message": "Label does not exist"}
        self.remove_label(int(number), name, call.login)
        return 200, {}, [_label(name) for name in self.labels[int(number)]]

    def _list_artifacts(self, call: Call, run: str) -> tuple[int, dict[str, str], Any]:
        found = self.artifacts.get(int(run), [])
        return 200, {}, {"total_count": len(found), "artifacts": found[: int(call.query.get("per_page", 30))]}

    def _list_runs(self, call: Call, workflow: str) -> tuple[int, dict[str, str], Any]:
        found = [
            run
            for run in self.runs
            if str(run["workflow_id"]) == workflow and run["head_sha"] == call.query.get("head_sha", run["head_sha"])
        ]
        found.sort(key=lambda run: -run["id"])
        return 200, {}, {"total_count": len(found), "workflow_runs": found[: int(call.query.get("per_page", 30))]}

    def _page(self, call: Call, lists: dict[int, list[Any]], number: str | int) -> tuple[int, dict[str, str], Any]:
        if int(number) not in lists:
            return 404, {}, {"message": "Not Found"}
        size, page = int(call.query.get("per_page", 30)), int(call.query.get("page", 1))
        return 200, {}, copy.deepcopy(lists[int(number)][(page - 1) * size : page * size])

    def _note(self, number: int, what: str, name: str, login: str) -> None:
        self.history[number].append(
            {
                "id": self._id(),
                "node_id": "x",
                "url": "https://example.org",
                "actor": self._user(login),
                "event": what,
                "commit_id": None,
                "commit_url": None,
                "created_at": "2026-01-01T00:00:00Z",
                "performed_via_github_app": None,
                "label": {"name": name, "color": "ffffff"},
            }
        )

    def _user(self, login: str) -> dict[str, Any]:
        return {
            **event("issue_comment")["sender"],
            "login": login,
            "type": "Bot" if login.endswith("[bot]") else "User",
        }

    def _id(self) -> int:
        with self._lock:
            self._next += 1
            return self._next

    def planted(self, call: Call) -> Failure | None:
        """The failure that this request meets."""
        path = call.path.removeprefix(f"/repos/{self.repository}")
        with self._lock:
            for at, failure in enumerate(self._failures):
                left = failure.times is None or self._used.get(at, 0) < failure.times
                if left and failure.verb == call.verb and re.fullmatch(failure.path, path):
                    self._used[at] = self._used.get(at, 0) + 1
                    return failure
        return None

    @property
    def writes(self) -> list[tuple[str, str]]:
        """(verb, path after the repository's) of every request that changes something."""
        prefix = f"/repos/{self.repository}"
        return [(call.verb, call.path.removeprefix(prefix)) for call in self.calls if call.verb != "GET"]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    github: Fake

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    github: Fake
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_PATCH = do_DELETE = do_PUT = do_GET

    def _serve(self) -> None:
        fake = self.github
        parts = urlsplit(self.path)
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.loads(data) if data and data != b"null" else None
        query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        token = (self.headers.get("Authorization") or "").rpartition(" ")[2]
        call = Call(self.command, parts.path, query, body, fake.logins.get(token, ""))
        fake.before(call)
        fake.calls.append(call)
        request = MockRequest(
            "https://api.github.com",
            self.command.lower(),
            _described(parts.path),
            args=query,
            headers=dict(self.headers),
            data=data if body is not None else None,
            content_type=self.headers.get("Content-Type") or "",
        )
        fake.wrong += _complaints(lambda: description().validate_request(request), call)
        failure = fake.planted(call)
        if failure is None or failure.after:
            status, headers, content = fake.answer(call) if call.login else (401, {}, {"message": "Bad credentials"})
        if failure is not None:
            time.sleep(failure.slow)
            status, headers, content = failure.status, failure.headers, {"message": failure.message}
            if status == 422:
                content |= {"documentation_url": ""}
        if status == DROP:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        sent = b"" if content is None else json.dumps(content).encode()
        response = MockResponse(sent, status, headers, "application/json")
        fake.wrong += _complaints(lambda: description().validate_response(request, response), call)
        self.send_response(status)
        for name, value in {**headers, "Content-Type": "application/json", "Content-Length": str(len(sent))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *arguments: Any) -> None:
        """Says nothing."""


class _Storage(BaseHTTPRequestHandler):
    """Where artifacts lie: signed addresses, no token."""

    def do_GET(self) -> None:
        fake = self.server.github
        fake.storage_headers.append({key.lower(): value for key, value in self.headers.items()})
        data = fake.zips[int(self.path.strip("/"))]
        self.send_response(200)
        self.send_header("Content-Type", "application/zip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments: Any) -> None:
        """Says nothing."""


def _complaints(check: Callable[[], None], call: Call) -> list[str]:
    try:
        check()
    except Exception as error:  # whatever the description does not allow, in openapi-core's many kinds
        causes = [str(item.message) for item in getattr(error.__cause__, "schema_errors", ())]
        return [f"{call.verb} {call.path}: {type(error).__name__}: {error} {causes} {call.body}"]
    return []


def _described(path: str) -> str:
    """A path whose last part may hold slashes as the description has it: they are encoded there."""
    before, between, file = path.partition("/contents/")
    return before + between + file.replace("/", "%2F")


def _label(name: str) -> dict[str, Any]:
    return {
        "id": 1,
        "node_id": "x",
        "url": "https://example.org",
        "name": name,
        "description": "",
        "color": "ffffff",
        "default": False,
    }


def zipped(members: dict[str, bytes | Any]) -> bytes:
    """A zip file; what is no bytes is written as JSON."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return stream.getvalue()


@contextmanager
def slow_server() -> Iterator[str]:
    """An address that takes a connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
