"""Builds ``tests/actions/github/data/events.json``: one payload of each event that is used, out of GitHub's examples.

    python tools/github_events.py node_modules/@octokit/webhooks-examples

The argument is the unpacked npm package; the payloads are unchanged.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

EVENTS = Path(__file__).parent.parent / "tests" / "actions" / "github" / "data" / "events.json"
# Event -> which of its examples.
CHOSEN = {
    "issue_comment": 0,
    "merge_group": 0,
    "pull_request": 22,
    "push": 4,
    "workflow_dispatch": 0,
    "workflow_run": 1,
}


def main() -> None:
    package = Path(sys.argv[1])
    examples = json.loads((package / "api.github.com" / "index.json").read_bytes())
    by_name = {event["name"]: event["examples"] for event in examples}
    events = {name: by_name[name][number] for name, number in CHOSEN.items()}
    EVENTS.write_text(json.dumps(events, indent=1) + "\n")


if __name__ == "__main__":
    main()
