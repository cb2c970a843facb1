"""Sets the labels that the change needs: ``python -m torchrl_preflight.actions.github.labels``, with what a step's environment says.

Environment: GitHub's own variables, ``GITHUB_TOKEN``, and ``PREFLIGHT_FOLDER`` where ``labels.json`` lies. Output:
``labels-added``, a list as JSON. What GitHub refuses is one warning; the status stays 0.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from torchrl_preflight.hooks.report import printable

from ..workflow import annotate, output
from . import artifact
from .job import client, entry, folder, pull_request, told, warn
from .label_writing import write
from .results import results


def main() -> int:
    """The entry point; gives the exit status."""
    return entry("torchrl-preflight labels", _main)


def _main(environment: Mapping[str, str]) -> int:
    """Writes the labels of the event's pull request.

    Raises:
        Unusable: the environment lacks what is needed.
    """
    github = client(environment)
    number, _ = pull_request(environment)
    found = results(artifact.of_folder(folder(environment)))
    for line in found.refused:
        annotate("warning", line)
    added: tuple[str, ...] = ()
    if number is None:
        print(f"no label is set: {printable(environment.get('GITHUB_EVENT_NAME', 'this event'))} has no pull request")
    else:
        written = write(github, number, found.labels or [])
        told(written)
        warn([written.failure] if written.failure else [])
        added = written.added
    output("labels-added", json.dumps(added, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
