"""Which paths a tree has and which bytes: what git would say, for each of the four kinds of tree."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from torchrl_preflight.hooks.git import Git
from torchrl_preflight.hooks.tree import at_ref, blob_id, index, plain_folder, working_tree


def here(repo):
    return working_tree(Git(repo.path))


def test_clean(repo) -> None:
    tree = here(repo)
    assert tree.paths() == repo.git("ls-files").splitlines()
    assert None not in tree.blobs.values()
    assert tree.changed(at_ref(Git(repo.path), "HEAD")) == set()


def test_modified(repo) -> None:
    repo.write("version.txt", "0.15.0\n")
    tree = here(repo)
    assert tree.read("version.txt") == b"0.15.0\n"
    assert tree.blob("version.txt") == repo.git("hash-object", "version.txt")
    assert tree.changed(at_ref(Git(repo.path), "HEAD")) == {"version.txt"}


def test_touched_is_not_changed(repo) -> None:
    os.utime(repo.path / "version.txt", (1, 1))
    assert here(repo).changed(at_ref(Git(repo.path), "HEAD")) == set()


def test_changed_back_is_not_changed(repo) -> None:
    repo.write("version.txt", "0.15.0\n")
    repo.git("add", "version.txt")
    repo.write("version.txt", "0.14.0\n")
    assert here(repo).changed(at_ref(Git(repo.path), "HEAD")) == set()


def test_deleted(repo) -> None:
    (repo.path / "version.txt").unlink()
    tree = here(repo)
    assert "version.txt" not in tree
    assert tree.read("version.txt") is None
    assert tree.blob("version.txt") is None
    assert tree.changed(at_ref(Git(repo.path), "HEAD")) == {"version.txt"}
    assert "version.txt" in index(Git(repo.path))


def test_untracked_counts_and_ignored_does_not(repo) -> None:
    repo.write(".gitignore", "*.log\n/scratch/\n")
    repo.write("torchrl/new.py", "x = 1\n")
    repo.write("run.log", "")
    repo.write("scratch/a.py", "")
    assert here(repo).changed(at_ref(Git(repo.path), "HEAD")) == {".gitignore", "torchrl/new.py"}


def test_tracked_although_ignored_counts(repo) -> None:
    repo.write(".gitignore", "*.txt\n")
    assert "version.txt" in here(repo)


def test_intent_to_add(repo) -> None:
    repo.write("torchrl/new.py", "x = 1\n")
    repo.git("add", "--intent-to-add", "torchrl/new.py")
    assert here(repo).read("torchrl/new.py") == b"x = 1\n"
    assert index(Git(repo.path)).read("torchrl/new.py") == b""


def test_racy_edit_of_the_same_size_in_the_same_second(repo) -> None:
    file = repo.write("version.txt", "0.15.0\n")
    repo.git("add", "version.txt")
    stat = file.stat()
    repo.write("version.txt", "0.16.0\n")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert here(repo).read("version.txt") == b"0.16.0\n"


def test_what_is_written_later_is_not_read(repo) -> None:
    tree = here(repo)
    repo.write("version.txt", "0.17.0\n")
    assert tree.read("version.txt") == b"0.14.0\n"
    (repo.path / "version.txt").unlink()
    assert here(repo).read("version.txt") is None
    assert index(Git(repo.path)).read("version.txt") == b"0.14.0\n"


def test_line_ends_are_those_of_the_repository(repo) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.git("rm", "--quiet", "--cached", "-r", ".")
    repo.git("reset", "--quiet", "--hard")
    assert (repo.path / "version.txt").read_bytes() == b"0.14.0\r\n"
    assert here(repo).read("version.txt") == b"0.14.0\n"


def test_line_ends_of_a_checkout_are_no_change(repo, tests, judge) -> None:
    repo.commit("bad", {"test/test_a.py": tests("test_a")})
    repo.git("config", "core.autocrlf", "true")
    repo.git("rm", "--quiet", "--cached", "-r", ".")
    repo.git("reset", "--quiet", "--hard")
    assert b"\r\n" in (repo.path / "test/test_a.py").read_bytes()
    assert here(repo).changed(at_ref(Git(repo.path), "HEAD")) == set()
    file = repo.write(
        "test/test_a.py", (repo.path / "test/test_a.py").read_bytes() + tests("test_b").partition("torch\n")[2].encode()
    )
    assert b"\r\n" in file.read_bytes()
    assert judge(repo, "--base", "HEAD").symbols == ["test_b"]


def test_mode_is_no_content(repo) -> None:
    (repo.path / "version.txt").chmod(0o755)
    tree = here(repo)
    assert tree.read("version.txt") == b"0.14.0\n"
    assert tree.changed(at_ref(Git(repo.path), "HEAD")) == set()
    repo.commit("executable")
    assert at_ref(Git(repo.path), "HEAD").read("version.txt") == b"0.14.0\n"


def test_symbolic_links_are_not_followed(repo) -> None:
    (repo.path / "loop").symlink_to(".")
    (repo.path / "round.py").symlink_to("round.py")
    (repo.path / "same.py").symlink_to("torchrl/__init__.py")
    (repo.path / "away.py").symlink_to("/etc/passwd")
    expected = repo.git("ls-tree", "-r", "--name-only", "HEAD").splitlines()
    assert here(repo).paths() == expected
    repo.commit("links")
    assert index(Git(repo.path)).paths() == expected
    assert at_ref(Git(repo.path), "HEAD").paths() == expected
    assert here(repo).paths() == expected


def test_a_file_that_became_a_link_or_a_folder_is_gone(repo) -> None:
    (repo.path / "version.txt").unlink()
    (repo.path / "version.txt").symlink_to("pytest.ini")
    (repo.path / "pyproject.toml").unlink()
    repo.write("pyproject.toml/inside.txt", "x")
    tree = here(repo)
    assert "version.txt" not in tree
    assert "pyproject.toml" not in tree
    assert tree.read("pyproject.toml/inside.txt") == b"x"


def test_a_repository_inside_is_not_part_of_it(repo) -> None:
    repo.git("init", "--quiet", "nested")
    repo.write("nested/a.py", "")
    assert here(repo).changed(at_ref(Git(repo.path), "HEAD")) == set()


def test_sparse_checkout_reads_from_the_index(repo) -> None:
    repo.git("sparse-checkout", "set", "--cone", "torchrl")
    assert not (repo.path / "test").exists()
    tree = here(repo)
    assert tree.changed(at_ref(Git(repo.path), "HEAD")) == set()
    assert tree.read("test/conftest.py") == at_ref(Git(repo.path), "HEAD").read("test/conftest.py")


def test_unmerged_files_are_read_from_disk(repo) -> None:
    repo.git("checkout", "--quiet", "-b", "other")
    repo.commit("theirs", {"version.txt": "1\n"})
    repo.git("checkout", "--quiet", "main")
    repo.commit("ours", {"version.txt": "2\n"})
    repo.git("merge", "other", check=False)
    assert here(repo).read("version.txt") == b"<<<<<<< HEAD\n2\n=======\n1\n>>>>>>> other\n"


def test_index_holds_what_is_staged_and_nothing_else(repo) -> None:
    repo.write("version.txt", "staged\n")
    repo.git("add", "version.txt")
    repo.write("version.txt", "on top\n")
    repo.write("untracked.py", "")
    tree = index(Git(repo.path))
    assert tree.read("version.txt") == b"staged\n"
    assert tree.changed(at_ref(Git(repo.path), "HEAD")) == {"version.txt"}


def test_index_of_the_environment(repo, monkeypatch) -> None:
    """``git commit -a`` and ``git commit FILE`` commit an index of their own."""
    repo.write("version.txt", "other\n")
    repo.git("add", "version.txt", GIT_INDEX_FILE=str(repo.path / ".git/other"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo.path / ".git/other"))
    assert index(Git(repo.path)).paths() == ["version.txt"]
    assert index(Git(repo.path)).read("version.txt") == b"other\n"
    assert index(Git(repo.path, inherit=False)).read("version.txt") == b"0.14.0\n"


@pytest.mark.parametrize("where", ["here", "worktree", "subfolder"])
def test_a_real_commit_hook_judges_what_the_commit_will_hold(repo, tests, where, tmp_path) -> None:
    repo.commit("clean", {"test/test_a.py": tests(good=["test_a"]), "test/test_b.py": tests(good=["test_b"])})
    lint = Path(sys.executable).with_name("torchrl-lint")
    repo.write(".git/hooks/pre-commit", f"#!/bin/sh\nexec {lint} --staged --select gpu-marker-missing >&2\n").chmod(
        0o755
    )
    if where == "worktree":
        repo.git("worktree", "add", "--quiet", "-b", "topic", tmp_path / "linked")
        repo.path = tmp_path / "linked"
    repo.write("test/test_a.py", tests("test_a"))
    repo.write("test/test_b.py", tests(good=["test_b", "test_c"]))
    if where == "subfolder":
        repo.path = repo.path / "test"
    test_a, test_b = ("test_a.py", "test_b.py") if where == "subfolder" else ("test/test_a.py", "test/test_b.py")
    for what in ("--all", test_a):
        with pytest.raises(AssertionError, match="test/test_a.py:8: error: gpu-marker-missing: test_a\n"):
            repo.git("commit", "-m", "bad", what)
    repo.git("commit", "-m", "good", test_b)
    assert repo.git("log", "-1", "--format=%s", "--name-only").split() == ["good", "test/test_b.py"]


def test_a_ref_leaves_the_working_tree_and_the_index_alone(repo, tests, judge) -> None:
    bad = repo.commit("bad", {"test/test_a.py": tests("test_a")})
    repo.git("reset", "--quiet", "--hard", "HEAD^")
    repo.write("version.txt", "mine\n")
    state = (repo.path / ".git/index").read_bytes()
    assert judge(repo, "--ref", bad, "--base", "HEAD").found == [("test/test_a.py", 8, "gpu-marker-missing")]
    assert repo.git("status", "--porcelain") == "M version.txt".rjust(14)
    assert (repo.path / ".git/index").read_bytes() == state


def test_ref_may_be_a_tag_or_a_tree(repo) -> None:
    repo.git("tag", "-a", "-m", "tag", "v1")
    for name in ("v1", "HEAD^{tree}", repo.head[:12]):
        assert at_ref(Git(repo.path), name).read("version.txt") == b"0.14.0\n"


def test_plain_folder(tmp_path) -> None:
    root = tmp_path / "site-packages"
    for name in ("torchrl/__init__.py", "torchrl/__pycache__/x.pyc", "torchrl/.git/config", "other/a.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x = 1\n")
    (root / "torchrl/loop").symlink_to(".")
    (root / "torchrl/link.py").symlink_to("__init__.py")
    os.mkfifo(root / "torchrl/pipe.py")
    tree = plain_folder(root, ("torchrl",))
    assert tree.paths() == ["torchrl/__init__.py"]
    assert tree.read("torchrl/__init__.py") == b"x = 1\n"
    assert tree.blob("torchrl/__init__.py") == blob_id(b"x = 1\n")
    assert plain_folder(root).paths() == ["other/a.py", "torchrl/__init__.py"]


def test_blob_id_is_git_s(repo) -> None:
    assert blob_id(b"0.14.0\n") == repo.git("rev-parse", "HEAD:version.txt")


def test_paths_below_a_folder(repo) -> None:
    tree = here(repo)
    assert (
        tree.paths("torchrl/envs")
        == tree.paths("torchrl/envs/")
        == ["torchrl/envs/__init__.py", "torchrl/envs/common.py"]
    )
    assert tree.paths("torchrl/env") == []
    assert tree.paths("torchrl", "utils.py") == ["torchrl/_utils.py", "torchrl/testing/utils.py"]


NAMES = [
    b"a b.py",
    b'quo"te.py',
    b"back\\slash.py",
    b"new\nline.py",
    b"tab\t.py",
    b"-dash.py",
    b"caf\xc3\xa9.py",
    b"caf\xe9.py",
    b"\xf0\x9f\x90\x8d.py",
    b"esc\x1b[31m.py",
    b":(top)x.py",
    b"a -> b.py",
    b"star*.py",
]


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_odd_names(repo, name) -> None:
    path = "torchrl/" + os.fsdecode(name)
    repo.write(path, "x = 1\n")
    assert here(repo).read(path) == b"x = 1\n"
    repo.git("add", "--all")
    assert index(Git(repo.path)).read(path) == b"x = 1\n"
    repo.git("commit", "--quiet", "-m", "odd")
    assert at_ref(Git(repo.path), "HEAD").read(path) == b"x = 1\n"
    repo.write(path, "x = 2\n")
    assert here(repo).read(path) == b"x = 2\n"
    (repo.path / path).unlink()
    assert path not in here(repo)


def test_a_large_file_that_git_does_not_track_is_not_read(repo) -> None:
    repo.commit("base")
    large = repo.write("model.ckpt", b"\0" * 9_000_000)
    small = repo.write("notes.txt", b"one\n")
    git = Git(repo.path)
    tree = working_tree(git)
    assert tree.changed(at_ref(git, "HEAD")) == {"model.ckpt", "notes.txt"}
    large.chmod(0)
    assert tree.stamp("model.ckpt") == f"9000000 {large.stat().st_mtime_ns}"
    assert tree.stamp("notes.txt") == blob_id(small.read_bytes())
    assert tree.unreadable == {}
