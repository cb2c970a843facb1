"""Which tree a change is compared with: each row of the table, on the repository that it speaks of."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def origin(repo, tests):
    """The repository on the server: two commits on main, the second with an old fault."""
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    repo.commit("an old fault", {"test/test_old.py": tests("test_old")})
    return repo


@pytest.fixture
def actions(monkeypatch, tmp_path):
    """``actions(event, payload)``: from now on the environment of a GitHub Actions job."""

    def begin(event: str, payload: object) -> None:
        path = tmp_path / "event.json"
        path.write_text(payload if isinstance(payload, str) else json.dumps(payload))
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        monkeypatch.setenv("GITHUB_EVENT_NAME", event)
        monkeypatch.setenv("GITHUB_EVENT_PATH", str(path))

    return begin


@pytest.fixture
def checkout(empty_repo):
    """``checkout(origin, ref, depth)``: what actions/checkout leaves, by the commands that it runs."""

    def make(source, ref: str, depth: int):
        made = empty_repo("runner")
        made.git("remote", "add", "origin", f"file://{source.path}")
        commit = source.git("rev-parse", ref)
        if ref.startswith("refs/pull/"):
            local = ref.replace("refs/", "refs/remotes/", 1)
            made.git("fetch", "--quiet", "--no-tags", f"--depth={depth}", "origin", f"+{commit}:{local}")
            made.git("checkout", "--quiet", "--force", local)
        else:
            made.git(
                "fetch", "--quiet", "--no-tags", f"--depth={depth}", "origin", f"+{commit}:refs/remotes/origin/{ref}"
            )
            made.git("checkout", "--quiet", "--force", "-B", ref, f"refs/remotes/origin/{ref}")
        return made

    return make


def base(outcome):
    assert outcome.err == ""
    return outcome.report["base"]["commit"], outcome.report["base"]["chosen_by"]


def test_base_is_that_commit_and_not_a_merge_base(origin, tests, judge) -> None:
    start = origin.head
    origin.git("checkout", "--quiet", "-b", "topic", "HEAD^")
    origin.commit("mine", {"test/test_new.py": tests("test_new"), "test/test_old.py": tests("test_old")})
    outcome = judge(origin, "--base", "main")
    assert base(outcome) == (start, "--base main")
    assert outcome.symbols == ["test_new"]


def test_base_may_be_a_tree(origin, tests, judge) -> None:
    tree = origin.git("rev-parse", "HEAD^{tree}")
    origin.write("test/test_new.py", tests("test_new"))
    outcome = judge(origin, "--base", tree)
    assert base(outcome) == (tree, f"--base {tree}")
    assert outcome.symbols == ["test_new"]


def test_unknown_base(origin, lint) -> None:
    outcome = lint(origin, "--base", "gone")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == "torchrl-lint: --base gone: no such commit or tree here; fetch it (git fetch origin gone)\n"


def test_staged(origin, tests, judge) -> None:
    origin.write("test/test_new.py", tests("test_new"))
    origin.write("test/test_not_staged.py", tests("test_not_staged"))
    origin.git("add", "test/test_new.py")
    outcome = judge(origin, "--staged")
    assert base(outcome) == (origin.head, "HEAD")
    assert (outcome.status, outcome.symbols) == (1, ["test_new"])


def test_staged_with_another_base(origin, tests, judge) -> None:
    origin.write("test/test_new.py", tests("test_new"))
    origin.git("add", "test/test_new.py")
    assert judge(origin, "--staged", "--base", "HEAD^").symbols == ["test_new", "test_old"]


def test_a_branch_by_hand(origin, tests, judge, clone) -> None:
    mine = clone(origin)
    start = mine.head
    mine.git("checkout", "--quiet", "-b", "topic")
    mine.commit("committed", {"test/test_new.py": tests("test_new")})
    mine.write("test/test_written.py", tests("test_written"))
    origin.commit("main moves on", {"test/test_later.py": tests("test_later")})
    mine.git("fetch", "--quiet")
    outcome = judge(mine)
    assert base(outcome) == (start, "merge base with origin/main")
    assert outcome.symbols == ["test_new", "test_written"]


def test_a_stack_of_three_commits_by_hand(origin, tests, judge, clone) -> None:
    mine = clone(origin)
    start = mine.head
    mine.git("checkout", "--quiet", "-b", "topic")
    for name in ("test_one", "test_two", "test_three"):
        mine.commit(name, {f"test/{name}.py": tests(name)})
    outcome = judge(mine)
    assert base(outcome) == (start, "merge base with origin/main")
    assert outcome.symbols == ["test_one", "test_three", "test_two"]
    assert judge(mine, "--base", "HEAD^").symbols == ["test_three"]


def test_a_ref_by_hand(origin, tests, judge, clone) -> None:
    mine = clone(origin)
    start = mine.head
    mine.commit("committed", {"test/test_new.py": tests("test_new")})
    mine.git("branch", "topic")
    mine.git("reset", "--quiet", "--hard", "HEAD^")
    outcome = judge(mine, "--ref", "topic")
    assert base(outcome) == (start, "merge base with origin/main")
    assert outcome.symbols == ["test_new"]


@pytest.mark.parametrize("default", ["main", "master", "trunk"])
def test_the_default_branch_of_the_remote(origin, tests, judge, clone, default) -> None:
    origin.git("branch", "--move", "main", default)
    mine = clone(origin)
    mine.write("test/test_new.py", tests("test_new"))
    outcome = judge(mine)
    assert base(outcome) == (mine.head, f"merge base with origin/{default}")
    assert outcome.symbols == ["test_new"]


def test_a_fork_with_its_upstream(origin, tests, judge, clone) -> None:
    fork = clone(origin, "fork.git", "--bare")
    origin.commit("upstream moves on", {"test/test_later.py": tests("test_later")})
    mine = clone(fork)
    mine.git("remote", "add", "upstream", f"file://{origin.path}")
    mine.git("fetch", "--quiet", "upstream")
    mine.git("checkout", "--quiet", "-b", "topic", "upstream/main")
    mine.commit("mine", {"test/test_new.py": tests("test_new")})
    outcome = judge(mine)
    assert base(outcome) == (origin.head, "merge base with upstream/main")
    assert outcome.symbols == ["test_new"]


def test_a_fork_whose_upstream_was_not_fetched_lately(origin, tests, judge, clone) -> None:
    mine = clone(origin)
    mine.git("remote", "add", "upstream", f"file://{origin.path}")
    mine.git("fetch", "--quiet", "upstream")
    origin.commit("main moves on", {"test/test_later.py": tests("test_later")})
    mine.git("pull", "--quiet", "origin", "main")
    mine.write("test/test_new.py", tests("test_new"))
    outcome = judge(mine)
    assert base(outcome) == (origin.head, "merge base with origin/main")
    assert outcome.symbols == ["test_new"]


def test_a_release_branch_by_hand(origin, tests, judge, clone) -> None:
    origin.git("checkout", "--quiet", "-b", "release/0.14.0")
    origin.git("tag", "v0.14.0")
    tagged = origin.head
    origin.git("checkout", "--quiet", "main")
    mine = clone(origin)
    mine.git("checkout", "--quiet", "release/0.14.0")
    mine.commit("backport", {"test/test_new.py": tests("test_new")})
    outcome = judge(mine)
    assert base(outcome) == (tagged, "last tag on release/0.14.0: v0.14.0")
    assert outcome.symbols == ["test_new"]
    mine.git("push", "--quiet", "origin", "release/0.14.0")
    mine.git("checkout", "--quiet", "main")
    outcome = judge(mine, "--ref", "origin/release/0.14.0")
    assert base(outcome) == (tagged, "last tag on release/0.14.0: v0.14.0")
    assert outcome.symbols == ["test_new"]


def test_a_release_branch_without_tags(origin, judge) -> None:
    origin.git("checkout", "--quiet", "-b", "release/0.14.0")
    outcome = judge(origin)
    assert base(outcome) == (None, "none")
    assert outcome.report["notes"] == [
        "release branch release/0.14.0 has no tag here; fetch tags (git fetch --tags) or give --base",
        "no base, so only rules of enforce-all judged (none is listed)",
    ]


@pytest.mark.parametrize("depth", [2, 100])
def test_the_merge_commit_of_a_pull_request(origin, tests, judge, actions, checkout, depth) -> None:
    origin.git("checkout", "--quiet", "-b", "topic")
    origin.commit("mine", {"test/test_new.py": tests("test_new")})
    origin.git("checkout", "--quiet", "main")
    onto = origin.commit("main moves on", {"test/test_later.py": tests("test_later")})
    origin.git("checkout", "--quiet", "--detach")
    origin.git("merge", "--quiet", "--no-ff", "-m", "Merge topic into main", "topic")
    origin.git("update-ref", "refs/pull/1/merge", "HEAD")
    runner = checkout(origin, "refs/pull/1/merge", depth)
    # The payload's base is where main stood when the pull request was opened.
    actions("pull_request", {"pull_request": {"base": {"sha": origin.git("rev-parse", "main^")}}})
    outcome = judge(runner)
    assert base(outcome) == (onto, "first parent of the merge commit")
    assert (outcome.status, outcome.symbols) == (1, ["test_new"])


def test_a_pull_request_of_a_stack(origin, tests, judge, actions, checkout) -> None:
    """The second of three stacked pull requests answers for its own commit only."""
    for name in ("one", "two"):
        origin.git("checkout", "--quiet", "-b", name)
        origin.commit(name, {f"test/test_{name}.py": tests(f"test_{name}")})
    origin.git("checkout", "--quiet", "--detach", "one")
    origin.git("merge", "--quiet", "--no-ff", "-m", "Merge two into one", "two")
    origin.git("update-ref", "refs/pull/2/merge", "HEAD")
    actions("pull_request", {})
    outcome = judge(checkout(origin, "refs/pull/2/merge", 2))
    assert base(outcome) == (origin.git("rev-parse", "one"), "first parent of the merge commit")
    assert outcome.symbols == ["test_two"]


def test_the_head_of_a_pull_request(origin, tests, judge, actions, clone) -> None:
    """A job that checks out the branch itself has no merge commit; the payload tells the base."""
    start = origin.head
    origin.git("checkout", "--quiet", "-b", "topic")
    origin.commit("mine", {"test/test_new.py": tests("test_new")})
    origin.git("checkout", "--quiet", "main")
    later = origin.commit("main moves on", {"test/test_later.py": tests("test_later")})
    runner = clone(origin)
    runner.git("checkout", "--quiet", "topic")
    actions("pull_request", {"pull_request": {"base": {"sha": later}}})
    outcome = judge(runner)
    assert base(outcome) == (start, "merge base with the pull request's base")
    assert outcome.symbols == ["test_new"]


def test_a_pull_request_at_depth_1_fetches_its_base(origin, tests, judge, actions, checkout) -> None:
    onto = origin.head
    origin.git("checkout", "--quiet", "-b", "topic")
    origin.commit("mine", {"test/test_new.py": tests("test_new")})
    origin.git("checkout", "--quiet", "--detach", "main")
    origin.git("merge", "--quiet", "--no-ff", "-m", "Merge topic into main", "topic")
    origin.git("update-ref", "refs/pull/1/merge", "HEAD")
    runner = checkout(origin, "refs/pull/1/merge", 1)
    actions("pull_request", {})
    outcome = judge(runner)
    assert base(outcome) == (onto, "first parent of the merge commit")
    assert outcome.symbols == ["test_new"]


def test_a_pull_request_at_depth_1_whose_base_cannot_be_had(origin, lint, actions, checkout) -> None:
    onto = origin.head
    origin.git("checkout", "--quiet", "-b", "topic")
    origin.commit("mine")
    origin.git("checkout", "--quiet", "--detach", "main")
    origin.git("merge", "--quiet", "--no-ff", "-m", "Merge topic into main", "topic")
    origin.git("update-ref", "refs/pull/1/merge", "HEAD")
    runner = checkout(origin, "refs/pull/1/merge", 1)
    runner.git("remote", "set-url", "origin", "file:///gone")
    actions("pull_request", {})
    outcome = lint(runner)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        f"torchrl-lint: the merge commit's first parent: {onto} is not in this shallow clone; "
        "set fetch-depth: 2 (pull requests) or 0 in actions/checkout, or run: git fetch --unshallow\n"
    )


def test_outside_of_actions_nothing_is_fetched(origin, lint, clone) -> None:
    before = origin.git("rev-parse", "HEAD^")
    shallow = clone(origin, "shallow", "--depth=1")
    outcome = lint(shallow, "--base", before)
    assert outcome.status == 2
    assert outcome.err == (
        f"torchrl-lint: --base {before}: {before} is not in this shallow clone; "
        "set fetch-depth: 2 (pull requests) or 0 in actions/checkout, or run: git fetch --unshallow\n"
    )


def test_a_shallow_branch_that_does_not_reach_the_merge_base(origin, lint, clone) -> None:
    origin.git("checkout", "--quiet", "-b", "topic", "HEAD^")
    origin.commit("mine")
    shallow = clone(origin, "shallow", "--depth=1", "--no-single-branch", "--branch=topic")
    shallow.git("remote", "set-head", "origin", "main")
    outcome = lint(shallow)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        "torchrl-lint: this shallow clone does not reach the merge base with origin/main; "
        "set fetch-depth: 2 (pull requests) or 0 in actions/checkout, or run: git fetch --unshallow\n"
    )


@pytest.mark.parametrize("how", ["--staged", "--all"])
def test_a_shallow_clone_does_for_the_hook_and_for_everything(origin, tests, judge, clone, how) -> None:
    shallow = clone(origin, "shallow", "--depth=1")
    shallow.write("test/test_new.py", tests("test_new"))
    shallow.git("add", "--all")
    outcome = judge(shallow, how)
    assert [item["symbol"] for item in outcome.report["findings"] if item["new"]] == ["test_new"]
    assert outcome.status == 1


def test_a_push_of_several_commits(origin, tests, judge, actions, checkout) -> None:
    before = origin.head
    for name in ("test_one", "test_two"):
        origin.commit(name, {f"test/{name}.py": tests(name)})
    actions("push", {"before": before, "after": origin.head})
    for depth in (1, 10):
        runner = checkout(origin, "main", depth)
        outcome = judge(runner)
        assert base(outcome) == (before, "before of the push")
        assert outcome.symbols == ["test_one", "test_two"]
        runner.path.rename(runner.path.with_name(f"depth {depth}"))


@pytest.mark.parametrize("zeros", ["0" * 40, "0" * 64], ids=["sha1", "sha256"])
def test_the_first_push_of_a_branch(origin, tests, judge, actions, clone, zeros) -> None:
    start = origin.head
    origin.git("checkout", "--quiet", "-b", "topic")
    origin.commit("mine", {"test/test_new.py": tests("test_new")})
    origin.git("checkout", "--quiet", "main")
    runner = clone(origin)
    runner.git("checkout", "--quiet", "topic")
    actions("push", {"before": zeros, "after": runner.head})
    outcome = judge(runner)
    assert base(outcome) == (start, "merge base with origin/main")
    assert outcome.symbols == ["test_new"]


def test_a_merge_group(origin, tests, judge, actions) -> None:
    start = origin.head
    origin.commit("mine", {"test/test_new.py": tests("test_new")})
    actions("merge_group", {"merge_group": {"base_sha": start}})
    outcome = judge(origin)
    assert base(outcome) == (start, "merge group base")
    assert outcome.symbols == ["test_new"]


@pytest.mark.parametrize(
    "payload",
    ["", "{", "[]", "null", '{"pull_request": 1}', '{"pull_request": {"base": {"sha": "--output=x"}}}'],
    ids=repr,
)
def test_an_event_without_a_usable_payload_is_judged_as_by_hand(origin, judge, actions, clone, payload) -> None:
    runner = clone(origin)
    actions("pull_request", payload)
    assert base(judge(runner)) == (runner.head, "merge base with origin/main")


def test_an_event_of_another_kind(origin, judge, actions, clone) -> None:
    runner = clone(origin)
    actions("schedule", {})
    assert base(judge(runner)) == (runner.head, "merge base with origin/main")


def test_without_a_remote_only_rules_of_enforce_all_judge(origin, tests, judge) -> None:
    origin.write("test/test_new.py", tests("test_new"))
    outcome = judge(origin)
    assert base(outcome) == (None, "none")
    assert (outcome.status, outcome.symbols) == (0, [])
    assert outcome.report["notes"] == [
        "no remote branch to compare with; give --base, or --all to judge everything",
        "no base, so only rules of enforce-all judged (none is listed)",
    ]
    origin.write("pyproject.toml", '[tool.torchrl-preflight]\nenforce-all = ["gpu-marker-missing"]\n')
    outcome = judge(origin)
    assert (outcome.status, outcome.symbols) == (1, ["test_new", "test_old"])
    assert outcome.report["notes"][-1] == "no base, so only rules of enforce-all judged (gpu-marker-missing)"


def test_a_tree_has_no_history(origin, judge) -> None:
    outcome = judge(origin, "--ref", "HEAD^{tree}")
    assert base(outcome) == (None, "none")
    assert outcome.report["notes"][0] == "a tree has no history; give --base, or --all to judge everything"


def test_no_common_history(origin, judge, clone) -> None:
    mine = clone(origin)
    mine.git("checkout", "--quiet", "--orphan", "alone")
    mine.commit("alone")
    outcome = judge(mine)
    assert base(outcome) == (None, "none")
    assert outcome.report["notes"][0] == (
        "no common history with origin/main; give --base, or --all to judge everything"
    )


def test_the_pre_push_stage(origin, tests, judge, clone, monkeypatch) -> None:
    """pre-commit names the two ends; what is staged or merely written is not pushed."""
    mine = clone(origin)
    start = mine.head
    pushed = mine.commit("pushed", {"test/test_new.py": tests("test_new")})
    mine.write("test/test_staged.py", tests("test_staged"))
    mine.git("add", "--all")
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", start)
    monkeypatch.setenv("PRE_COMMIT_TO_REF", pushed)
    outcome = judge(mine, "--staged")
    assert base(outcome) == (start, f"--base {start}")
    assert outcome.symbols == ["test_new"]


def test_from_ref_is_a_branch_that_moved_on(origin, tests, judge, clone, monkeypatch) -> None:
    mine = clone(origin)
    start = mine.head
    mine.commit("mine", {"test/test_new.py": tests("test_new")})
    origin.commit("main moves on", {"test/test_old.py": None})
    mine.git("fetch", "--quiet")
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "origin/main")
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    outcome = judge(mine, "--staged")
    assert base(outcome) == (start, f"--base {start}")
    assert outcome.symbols == ["test_new"]
