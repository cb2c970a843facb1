"""Releases as tags and version files name them, right, wrong or missing; what the rules say about each."""

from __future__ import annotations

import json

import pytest

OLD = """import warnings


class Storage:
    def __init__(self, dim=-1):
        self.dim = dim
"""
NEW = OLD.replace("dim=-1", "dim=0")
ANNOUNCED = "import warnings\n\n\ndef old():\n    warnings.warn('old will be removed in v0.{}.', DeprecationWarning)\n"
EXPORT = 'from torchrl.envs.storage import Storage\n\n__all__ = ["Storage"]\n'
API = "api-default-changed-without-warning,api-removed-without-deprecation"


@pytest.fixture
def rl(repo):
    """A release's tree: one public class, committed."""
    repo.commit("a storage", {"torchrl/envs/__init__.py": EXPORT, "torchrl/envs/storage.py": OLD})
    return repo


def judged(lint, repo, rules: str, *arguments: str):
    return lint(repo, "--format", "json", "--select", rules, "--base", "HEAD", *arguments)


def messages(outcome) -> list[str]:
    return [item["message"] for item in outcome.report["findings"]]


def test_a_release_is_found_by_its_tag(rl, lint) -> None:
    rl.git("tag", "v0.13.0")
    rl.write("torchrl/envs/storage.py", NEW)
    outcome = judged(lint, rl, API)
    assert outcome.status == 1
    assert messages(outcome) == ["the default of Storage.dim is -1 in v0.13.0 and 0 now, and nothing warned of it"]
    assert outcome.found == [("torchrl/envs/storage.py", 5, "api-default-changed-without-warning")]


def test_without_tags_nothing_is_judged_and_a_note_says_so(rl, lint) -> None:
    rl.write("torchrl/envs/storage.py", NEW)
    outcome = judged(lint, rl, API)
    assert (outcome.status, outcome.found) == (0, [])
    assert outcome.report["notes"] == [
        "no release tag v0.N.0 dated at or before this tree, so 1 difference of the public API was not judged (git fetch --tags)"
    ]


def test_a_change_that_breaks_nothing_needs_no_tags(rl, lint) -> None:
    rl.write("torchrl/envs/storage.py", OLD.replace("self.dim = dim", "self.dim = int(dim)"))
    assert judged(lint, rl, API).report["notes"] == []


@pytest.mark.parametrize("tag", ["0.13.0", "v0.13", "v0.13.0rc1", "v0.x.0", "nightly", "v0.13.0-old", "v2026.1.1"])
def test_tags_that_are_no_versions(rl, lint, tag) -> None:
    rl.git("tag", tag)
    rl.write("torchrl/envs/storage.py", NEW)
    outcome = judged(lint, rl, API)
    assert outcome.found == []
    assert outcome.report["notes"][0].startswith("no release tag v0.N.0")


def test_numbers_are_not_compared_as_text(rl, lint) -> None:
    rl.git("tag", "v0.9.0")
    rl.commit("0.10 has it", {"torchrl/envs/storage.py": NEW})
    rl.git("tag", "v0.10.0")
    rl.write("torchrl/envs/storage.py", OLD)
    assert messages(judged(lint, rl, API)) == [
        "the default of Storage.dim is 0 in v0.10.0 and -1 now, and nothing warned of it"
    ]


def test_a_name_of_a_later_patch_release_is_released_too(rl, lint) -> None:
    rl.git("tag", "v0.13.0")
    rl.git("checkout", "--quiet", "-b", "release/0.13")
    patched = {
        "torchrl/envs/__init__.py": EXPORT.replace("Storage\n", "Storage, extra\n", 1).replace('"]', '", "extra"]')
    }
    patched["torchrl/envs/storage.py"] = OLD + "\n\ndef extra(a):\n    return a\n"
    rl.commit("patched", patched)
    rl.git("tag", "v0.13.1")
    rl.git("checkout", "--quiet", "main")
    rl.commit("also on main", patched)
    rl.write("torchrl/envs/__init__.py", EXPORT)
    outcome = judged(lint, rl, API)
    assert outcome.symbols == ["torchrl.envs.extra"]
    assert messages(outcome)[0].startswith(
        "the name torchrl.envs.extra is public since v0.13.1 and gone, and v0.13.1 did not warn"
    )


def test_a_tag_later_than_the_ref_is_no_release_of_it(rl, lint) -> None:
    rl.commit("change", {"torchrl/envs/storage.py": NEW})
    rl.git(
        "commit",
        "--quiet",
        "--amend",
        "--no-edit",
        "--date",
        "2026-01-02T00:00:00Z",
        GIT_COMMITTER_DATE="2026-01-02T00:00:00Z",
    )
    rl.git("tag", "-a", "-m", "later", "v0.13.0", "HEAD^", GIT_COMMITTER_DATE="2026-01-03T00:00:00Z")
    assert lint(rl, "--format", "json", "--select", API, "--ref", "HEAD", "--base", "HEAD^").found == []
    rl.git("tag", "-f", "-a", "-m", "earlier", "v0.13.0", "HEAD^", GIT_COMMITTER_DATE="2026-01-01T12:00:00Z")
    outcome = lint(rl, "--format", "json", "--select", API, "--ref", "HEAD", "--base", "HEAD^")
    assert outcome.symbols == ["Storage.dim"]


def test_a_tree_on_an_older_line_is_compared_with_its_own_release(rl, lint) -> None:
    rl.commit("0.12", {"version.txt": "0.12.1\n"})
    rl.git("tag", "v0.12.0")
    rl.git("checkout", "--quiet", "-b", "next")
    rl.commit("0.13", {"version.txt": "0.13.0\n", "torchrl/envs/storage.py": NEW})
    rl.git("tag", "v0.13.0")
    rl.git("checkout", "--quiet", "main")
    rl.write("torchrl/envs/storage.py", OLD.replace("-1", "5"))
    assert messages(judged(lint, rl, API)) == [
        "the default of Storage.dim is -1 in v0.12.0 and 5 now, and nothing warned of it"
    ]


def test_the_next_release_depends_on_whether_the_version_is_tagged(rl, lint) -> None:
    rl.write("torchrl/envs/old.py", ANNOUNCED.format(16))
    rl.git("tag", "v0.13.0")
    assert judged(lint, rl, "deprecation-schedule").found == []
    rl.git("tag", "v0.14.0")
    outcome = judged(lint, rl, "deprecation-schedule")
    assert messages(outcome) == ["v0.16 is too soon for a removal announced now: the next release is 0.15"]
    assert (
        "+    warnings.warn('old will be removed in v0.17.', DeprecationWarning)"
        in outcome.report["findings"][0]["edit"]["patch"]
    )


def test_without_tags_only_what_is_certain_is_too_soon(rl, lint) -> None:
    rl.write("torchrl/envs/old.py", ANNOUNCED.format(16))
    outcome = judged(lint, rl, "deprecation-schedule")
    assert outcome.found == []
    assert outcome.report["notes"] == [
        "no release tags here (git fetch --tags): whether v0.16 is too soon for torchrl/envs/old.py:5 was judged as if 0.14 were "
        "not released"
    ]
    rl.write("torchrl/envs/old.py", ANNOUNCED.format(15))
    assert judged(lint, rl, "deprecation-schedule").found == [("torchrl/envs/old.py", 5, "deprecation-schedule")]


@pytest.mark.parametrize(
    ("text", "says"), [("2025.7.24\n", "says '2025.7.24', not 0.N"), ("", "is missing"), (None, "is missing")]
)
def test_a_version_that_cannot_be_read(rl, lint, text, says) -> None:
    rl.commit("an old announcement", {"torchrl/envs/old.py": ANNOUNCED.format(2)})
    if text is None:
        (rl.path / "version.txt").unlink()
    else:
        rl.write("version.txt", text)
    outcome = lint(rl, "--format", "json", "--select", "deprecation-overdue", "--all")
    assert outcome.found == []
    assert f"version.txt {says}: nothing was judged by the version that the tree is on" in outcome.report["notes"]


def test_a_date_as_version_leaves_the_newest_tag_as_the_release(rl, lint) -> None:
    rl.git("tag", "v0.13.0")
    rl.commit("nightly", {"version.txt": "2025.7.24\n"})
    rl.write("torchrl/envs/storage.py", NEW)
    assert judged(lint, rl, API).symbols == ["Storage.dim"]


def test_base_and_ref_without_common_history(rl, lint) -> None:
    rl.git("tag", "v0.13.0")
    rl.git("checkout", "--quiet", "--orphan", "other")
    rl.commit("unrelated", {"torchrl/envs/storage.py": NEW})
    outcome = lint(rl, "--format", "json", "--select", API, "--ref", "other", "--base", "main")
    assert outcome.symbols == ["Storage.dim"]


def test_a_base_newer_than_the_ref(rl, lint) -> None:
    rl.git("tag", "v0.13.0")
    rl.commit("change", {"torchrl/envs/storage.py": NEW})
    outcome = lint(rl, "--format", "json", "--select", API, "--ref", "HEAD^", "--base", "HEAD")
    assert (outcome.status, outcome.found) == (0, [])


def test_a_bump_shows_what_it_makes_overdue_as_warnings(rl, lint) -> None:
    rl.commit("announced", {"torchrl/envs/old.py": ANNOUNCED.format(15)})
    rl.write("version.txt", "0.15.0\n")
    outcome = judged(lint, rl, "deprecation-overdue")
    assert outcome.status == 0
    assert messages(outcome) == ["it is announced for v0.15 and version.txt says 0.15 since this change (0.14 before)"]
    rl.commit("bumped")
    rl.write("torchrl/envs/old.py", ANNOUNCED.format(15) + "\n\nx = 1\n")
    assert judged(lint, rl, "deprecation-overdue").found == []
    assert lint(rl, "--format", "json", "--select", "deprecation-overdue", "--all").status == 0


def test_a_waiver_with_a_reason_accepts_a_break(rl, lint) -> None:
    rl.git("tag", "v0.13.0")
    rl.write("torchrl/envs/storage.py", NEW)
    rl.write(
        "pyproject.toml",
        (
            '[[tool.torchrl-preflight.waivers]]\nrule = "api-default-changed-without-warning"\nsymbol = "Storage.dim"\n'
            'reason = "parity with LazyStackStorage"\n'
        ),
    )
    assert judged(lint, rl, API).status == 0


def test_api_diff(rl, lint) -> None:
    rl.git("tag", "v0.13.0")
    rl.commit(
        "change",
        {
            "torchrl/envs/storage.py": "class Renamed:\n    def __init__(self, dim=0):\n        self.dim = dim\n",
            "torchrl/envs/__init__.py": 'from torchrl.envs.storage import Renamed\n\n__all__ = ["Renamed"]\n',
        },
    )
    rl.git("tag", "v0.14.0")
    text = lint(rl, "api-diff", "v0.13.0", "v0.14.0")
    assert (text.status, text.out) == (
        0,
        (
            "API from v0.13.0 to v0.14.0\n\nRemoved (1)\n  torchrl.envs.Storage (not announced; torchrl/envs/__init__.py:1)\n"
            "\nAdded (1)\n  torchrl.envs.Renamed\n"
        ),
    )
    report = json.loads(lint(rl, "api-diff", "v0.13.0", "--format", "json").out)
    assert (report["from"], report["to"]) == ("v0.13.0", "working tree")
    assert [(item["kind"], item["symbol"]) for item in report["changes"]] == [
        ("removed", "torchrl.envs.Storage"),
        ("added", "torchrl.envs.Renamed"),
    ]
    markdown = lint(rl, "api-diff", "v0.13.0", "--ref", "v0.14.0", "--format", "markdown").out
    assert markdown.startswith(
        "# API from v0.13.0 to v0.14.0\n\n## Removed (1)\n\n- `torchrl.envs.Storage` (not announced;"
    )
    assert lint(rl, "api-diff", "v0.14.0", "v0.14.0").out == "API from v0.14.0 to v0.14.0\nno difference\n"


def test_api_diff_with_an_unknown_release(rl, lint) -> None:
    outcome = lint(rl, "api-diff", "v9")
    assert (outcome.status, outcome.err) == (
        2,
        "torchrl-lint: v9: no such commit or tree here; fetch it (git fetch origin v9)\n",
    )


def test_the_ledger(rl, lint) -> None:
    rl.commit(
        "announced",
        {
            "torchrl/envs/storage.py": (
                "import warnings\n\n\nclass Meta(type):\n    def __call__(cls):\n"
                "        warnings.warn('x will be removed in v0.14.', DeprecationWarning)\n\n\n"
                "class Storage(metaclass=Meta):\n    def get(self):\n        warnings.warn('get is deprecated.')\n"
                "        warnings.warn('get will change in v0.16.', FutureWarning)\n"
            ),
        },
    )
    rows = json.loads(lint(rl, "deprecations", "--format", "json").out)
    assert (rows["version"], rows["next"]) == ("v0.14", "v0.14")
    assert [(row["target"], row["status"], row["owner"], row["line"]) for row in rows["announcements"]] == [
        ("v0.14", "due", "torchrl.envs.Storage", 6),
        ("v0.16", "later", "torchrl.envs.Storage.get", 12),
        (None, "no release named", "torchrl.envs.Storage.get", 11),
    ]
    assert lint(rl, "deprecations").out.startswith(
        "3 announcements; version v0.14, next release v0.14\n\nv0.14 (due)\n"
    )
    assert (
        "| `Meta.__call__` | `torchrl.envs.Storage` | DeprecationWarning |"
        in lint(rl, "deprecations", "--format", "markdown").out
    )
