"""The repositories that contributors and CI jobs have: each is read, or refused in one line."""

from __future__ import annotations

import os

import pytest
from torchrl_preflight.hooks.git import Git, GitError
from torchrl_preflight.hooks.tree import at_ref, index, working_tree


def found(tree, *paths):
    return {path: tree.read(path) for path in paths}


def test_root_from_a_subfolder(repo) -> None:
    git = Git(repo.path / "test" / "envs")
    assert git.root == repo.path
    assert "torchrl/__init__.py" in working_tree(git)


def test_root_through_a_symbolic_link_to_a_subfolder(repo, tmp_path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "envs"
    link.symlink_to(repo.path / "test" / "envs")
    git = Git(link)
    assert git.root.resolve() == repo.path.resolve()
    assert working_tree(git).read("version.txt") == b"0.14.0\n"


def test_detached_head(repo, tests, judge) -> None:
    repo.git("checkout", "--quiet", "--detach")
    repo.write("test/test_a.py", tests("test_a"))
    assert judge(repo, "--base", "main").found == [("test/test_a.py", 8, "gpu-marker-missing")]


def test_linked_worktree(repo, tests, judge, tmp_path) -> None:
    repo.git("worktree", "add", "--quiet", "-b", "topic", tmp_path / "linked")
    (tmp_path / "linked/test/test_a.py").write_text(tests("test_a"))
    assert judge(tmp_path / "linked", "--base", "main").found == [("test/test_a.py", 8, "gpu-marker-missing")]
    assert judge(repo, "--base", "main").found == []


def test_a_submodule_is_a_repository_and_no_part_of_the_one_around_it(repo, tests, judge, empty_repo) -> None:
    outer = empty_repo("outer")
    outer.write("torchrl/__init__.py", "")
    outer.git("submodule", "--quiet", "add", f"file://{repo.path}", "deps/rl")
    outer.commit("with a submodule")
    (outer.path / "deps/rl/test/test_a.py").write_text(tests("test_a"))
    assert judge(outer.path / "deps/rl", "--base", "HEAD").found == [("test/test_a.py", 8, "gpu-marker-missing")]
    for tree in (working_tree(Git(outer.path)), index(Git(outer.path)), at_ref(Git(outer.path), "HEAD")):
        assert tree.paths() == [".gitmodules", "torchrl/__init__.py"]


def test_shallow_clone(repo, tests, judge, clone) -> None:
    repo.commit("second", {"test/test_a.py": tests("test_a")})
    shallow = clone(repo, "shallow", "--depth=1")
    assert judge(shallow, "--all").found == [("test/test_a.py", 8, "gpu-marker-missing")]


def test_partial_clone_without_blobs_names_what_it_could_not_read(repo, tests, judge, clone) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit("second", {"test/test_a.py": tests("test_a")})
    partial = clone(repo, "partial", "--filter=blob:none", "--no-checkout")
    outcome = judge(partial, "--ref", "HEAD", "--base", "HEAD^")
    assert (outcome.status, outcome.found) == (0, [])
    assert any(
        note.startswith("not read in HEAD: ") and "absent from this partial clone" in note
        for note in outcome.report["notes"]
    )
    assert partial.git("count-objects", "-v").splitlines()[0] == "count: 0"  # nothing was fetched


def test_partial_clone_with_the_blobs_that_matter(repo, tests, judge, clone) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit("second", {"test/test_a.py": tests("test_a"), "docs/huge.py": "x = 1\n" * 4000})
    partial = clone(repo, "partial", "--filter=blob:limit=4k", "--no-checkout")
    outcome = judge(partial, "--ref", "HEAD", "--base", "HEAD^")
    assert outcome.found == [("test/test_a.py", 8, "gpu-marker-missing")]
    assert outcome.report["notes"] == ["not read in HEAD: docs/huge.py (absent from this partial clone)"]


def test_bare_repository(repo, tests, judge, clone) -> None:
    repo.commit("second", {"test/test_a.py": tests("test_a")})
    bare = clone(repo, "bare.git", "--bare")
    assert judge(bare, "--ref", "HEAD", "--base", "HEAD^").found == [("test/test_a.py", 8, "gpu-marker-missing")]
    refused = judge(bare, "--all")
    assert (refused.status, refused.out) == (2, "")
    said = "a bare repository has no working tree; run in a clone that has one, or name a commit with --ref"
    assert refused.err == f"torchrl-lint: .: {said}\n"


def test_empty_repository(empty_repo, judge) -> None:
    outcome = judge(empty_repo())
    assert (outcome.status, outcome.found) == (0, [])
    assert outcome.report["notes"] == [
        "no profile fits this tree (it has neither torchrl nor tensordict), so nothing was judged"
    ]


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)], ids=["sha1", "sha256"])
def test_first_commit(empty_repo, tests, judge, options) -> None:
    repo = empty_repo("first", *options)
    repo.write("torchrl/__init__.py", "")
    repo.write("torchrl/broken.py", "x = (\n")
    repo.git("add", "--all")
    outcome = judge(repo, "--staged")
    assert outcome.found == [("torchrl/broken.py", 1, "syntax-error")]
    assert outcome.report["base"]["chosen_by"] == "no commit yet: the empty tree"


def test_sha256_repository(empty_repo, judge) -> None:
    repo = empty_repo("long", "--object-format=sha256")
    base = repo.commit("base", {"torchrl/__init__.py": "", "torchrl/old.py": "x = (\n"})
    repo.write("torchrl/new.py", "x = [\n")
    assert len(base) == 64
    assert judge(repo, "--base", base).found == [("torchrl/new.py", 1, "syntax-error")]
    assert working_tree(Git(repo.path)).blob("torchrl/new.py") == repo.git("hash-object", "torchrl/new.py")


def test_not_a_repository(tmp_path, lint) -> None:
    (tmp_path / "plain").mkdir()
    outcome = lint(tmp_path / "plain")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == "torchrl-lint: .: not a git repository; run inside a clone, or name one with --repo\n"


def test_no_such_folder(repo, lint) -> None:
    assert lint(repo, "--repo", "gone").err == "torchrl-lint: gone: no such folder\n"


def test_a_file_as_repository(repo, lint) -> None:
    outcome = lint(repo, "--repo", "version.txt")
    assert (outcome.status, outcome.err) == (2, "torchrl-lint: version.txt: no such folder\n")


def test_dubious_ownership_says_what_to_run(repo, lint, monkeypatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    outcome = lint(repo)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        "torchrl-lint: .: git does not trust this repository's owner; "
        f"run: git config --global --add safe.directory '{repo.path}'\n"
    )


def test_without_git(repo, lint, monkeypatch) -> None:
    monkeypatch.setenv("PATH", os.fspath(repo.path))
    assert lint(repo).err == "torchrl-lint: git was not found; install it and put it on PATH\n"


def test_a_hook_environment_does_not_reach_another_repository(repo, tests, judge, monkeypatch, empty_repo) -> None:
    other = empty_repo("other")
    repo.write("test/test_a.py", tests("test_a"))
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.path / ".git/index"))
    outcome = judge(other, "--repo", str(repo.path), "--base", "HEAD")
    assert outcome.found == [("test/test_a.py", 8, "gpu-marker-missing")]


def test_unknown_ref(repo) -> None:
    with pytest.raises(GitError, match="^gone: no such commit or tree here; fetch it"):
        at_ref(Git(repo.path), "gone")


def test_an_option_as_a_ref_is_a_name(repo, lint) -> None:
    outcome = lint(repo, "--ref=--output=forged", "--all")
    assert outcome.status == 2
    assert not (repo.path / "forged").exists()


def test_blob_reader_survives_a_missing_id(repo) -> None:
    git = Git(repo.path)
    assert git.blob("0" * 40) is None
    assert git.blob(repo.git("rev-parse", "HEAD:version.txt")) == b"0.14.0\n"
    git.close()
    assert git.blob(repo.git("rev-parse", "HEAD:version.txt")) == b"0.14.0\n"
    git.close()
