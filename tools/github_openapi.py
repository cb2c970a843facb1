"""Builds ``tests/actions/github/data/api.json``: the operations of GitHub's API that are used, out of its own description.

    python tools/github_openapi.py node_modules/@octokit/openapi

The argument is the unpacked npm package. Words for people are left out, and every operation gets the error answers that
GitHub documents once for all of them (docs.github.com, "Troubleshooting the REST API") but lists for few.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CUT = Path(__file__).parent.parent / "tests" / "actions" / "github" / "data" / "api.json"
REPOSITORY = "/repos/{owner}/{repo}"
OPERATIONS = {
    "/user": ("get",),
    f"{REPOSITORY}/actions/artifacts/{{artifact_id}}/{{archive_format}}": ("get",),
    f"{REPOSITORY}/actions/runs/{{run_id}}/artifacts": ("get",),
    f"{REPOSITORY}/actions/workflows/{{workflow_id}}/runs": ("get",),
    f"{REPOSITORY}/contents/{{path}}": ("get",),
    f"{REPOSITORY}/issues/comments/{{comment_id}}": ("patch", "delete"),
    f"{REPOSITORY}/issues/{{issue_number}}/comments": ("get", "post"),
    f"{REPOSITORY}/issues/{{issue_number}}/events": ("get",),
    f"{REPOSITORY}/issues/{{issue_number}}/labels": ("get", "post"),
    f"{REPOSITORY}/issues/{{issue_number}}/labels/{{name}}": ("delete",),
    f"{REPOSITORY}/pulls": ("get",),
    f"{REPOSITORY}/pulls/{{pull_number}}": ("get",),
}
ANYWHERE = ("401", "403", "404", "410", "422", "429", "500", "502", "503")
_FOR_PEOPLE = ("description", "summary", "example", "examples", "externalDocs", "tags", "x-github", "deprecated")


def cut(whole: dict[str, Any]) -> dict[str, Any]:
    """The description of ``OPERATIONS`` with everything that they refer to."""
    paths: dict[str, Any] = {}
    for path, verbs in OPERATIONS.items():
        item = whole["paths"][path]
        paths[path] = {verb: item[verb] for verb in verbs} | {key: item[key] for key in ("parameters",) if key in item}
        for verb in verbs:
            error = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/basic-error"}}}}
            answers = paths[path][verb]["responses"]
            paths[path][verb]["responses"] = {
                **{status: error for status in ANYWHERE if status not in answers},
                **answers,
            }
    components: dict[str, dict[str, Any]] = {}
    waiting = list(_references(paths))
    while waiting:
        kind, name = waiting.pop()
        if name not in components.setdefault(kind, {}):
            components[kind][name] = whole["components"][kind][name]
            waiting += _references(components[kind][name])
    found = {
        "openapi": whole["openapi"],
        "info": {key: whole["info"][key] for key in ("title", "version", "license")},
        "servers": whole["servers"],
        "paths": paths,
        "components": {kind: dict(sorted(items.items())) for kind, items in sorted(components.items())},
    }
    return _plain(found, ())


def _references(tree: Any) -> Iterator[tuple[str, str]]:
    if isinstance(tree, dict):
        if isinstance(tree.get("$ref"), str):
            _, _, kind, name = tree["$ref"].split("/")
            yield kind, name
        for value in tree.values():
            yield from _references(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _references(value)


def _plain(tree: Any, where: tuple[str, ...]) -> Any:
    """Without words for people; names of properties and of components are no words."""
    if isinstance(tree, list):
        return [_plain(item, where) for item in tree]
    if not isinstance(tree, dict):
        return tree
    names = where[-1:] in (("properties",), ("responses",), ("schemas",), ("parameters",), ("headers",))
    kept = {key: value for key, value in tree.items() if names or key not in _FOR_PEOPLE}
    if where[-2:-1] == ("responses",) and "$ref" not in kept:
        kept = {"description": "", **kept}  # which an answer must have
    return {key: _plain(value, (*where, key)) for key, value in kept.items()}


def main() -> None:
    package = Path(sys.argv[1])
    whole = json.loads((package / "generated" / "api.github.com.json").read_bytes())
    CUT.write_text(json.dumps(cut(whole), indent=None, separators=(",", ":"), sort_keys=False) + "\n")


if __name__ == "__main__":
    main()
