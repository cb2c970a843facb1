"""Says which labels the change needs, as outputs, one annotation and a file. It writes none.

Environment: ``PREFLIGHT_FOLDER`` where ``labels.json`` goes; ``PREFLIGHT_BASE`` what to compare with.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping

from torchrl_preflight.hooks.command import guarded

from ..workflow import annotate, command, folder, output


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Names the labels of the change in the current folder.

    Returns:
        The exit status of ``torchrl-lint labels``.
    """
    return guarded("torchrl-lint labels", lambda: _named(environment), {})


def _named(environment: Mapping[str, str]) -> int:
    base = environment.get("PREFLIGHT_BASE", "")
    done = command("torchrl-lint", "labels", "--format", "json", *(["--base", base] if base else []))
    if done.returncode:
        annotate("error", done.stderr.strip() or f"torchrl-lint labels ended with {done.returncode}")
        return done.returncode
    (folder() / "labels.json").write_text(done.stdout, encoding="utf-8", newline="\n")
    found = json.loads(done.stdout)
    names = [row["label"] for row in found["labels"]]
    output("labels", json.dumps(names, separators=(",", ":")))
    for suite in ("olddeps", "optdeps"):
        output(suite, str(bool(found.get(suite))).lower())
    starting = [row for row in found["labels"] if row["jobs"]]
    if starting:
        wanted = "; ".join(f"{row['label']}: {row['reason']}" for row in starting)
        annotate("notice", f"set these labels before the next push, since adding one later starts nothing: {wanted}")
    print(f"labels: {', '.join(names) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
