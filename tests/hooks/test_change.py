"""What is new in a change: faults that moved, with their file or within it, are not."""

from __future__ import annotations

import pytest

HEAD = "import pytest\nimport torch\n"
SKIP = '@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")\n'


def test(name: str, body: str = "assert True", indent: str = "") -> str:
    """A faulty test with a body of its own."""
    lines = f"{SKIP}def {name}({'self' if indent else ''}):\n    {body}\n"
    return "\n\n" + "".join(indent + line for line in lines.splitlines(keepends=True))


test.__test__ = False


@pytest.fixture
def new(judge):
    """``new(repo)``: symbols of the findings that are new in the working tree against HEAD."""

    def run(repo, *arguments):
        outcome = judge(repo, "--base", "HEAD", *arguments)
        assert all(item["new"] for item in outcome.report["findings"])
        assert outcome.status == bool(outcome.symbols)
        return outcome.symbols

    return run


def test_an_old_fault_in_an_edited_file_is_not_new(repo, new) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + test("test_old")})
    repo.write("test/test_a.py", HEAD + "\nX = 1\n" + test("test_fresh") + test("test_old", "assert torch.ones(1)"))
    assert new(repo) == ["test_fresh"]


def test_a_file_that_only_moved(repo, new) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + test("test_one") + test("test_two")})
    repo.git("mv", "test/test_a.py", "test/envs/test_b.py")
    assert new(repo) == []


def test_a_rename_with_edits(repo, new) -> None:
    old = [test(f"test_{number}", f"assert {number}") for number in range(6)]
    repo.commit("old", {"test/test_a.py": HEAD + "".join(old)})
    (repo.path / "test/test_a.py").unlink()
    repo.write("test/envs/test_b.py", HEAD + "".join(old[1:]) + test("test_fresh"))
    assert new(repo) == ["test_fresh"]


def test_a_rename_whose_tests_were_renamed_too(repo, new) -> None:
    """A renamed test is a fault that somebody touched: it is new, by name and by text."""
    repo.commit("old", {"test/test_a.py": HEAD + test("test_one") + "".join(f"x{n} = {n}\n" for n in range(40))})
    (repo.path / "test/test_a.py").unlink()
    repo.write("test/test_b.py", HEAD + test("test_other") + "".join(f"x{n} = {n}\n" for n in range(40)))
    assert new(repo) == ["test_other"]


def test_a_file_split_into_a_package(repo, new) -> None:
    old = [test(f"test_{number}", f"assert {number}") for number in range(9)]
    repo.commit("old", {"test/test_all.py": HEAD + "".join(old)})
    (repo.path / "test/test_all.py").unlink()
    for part in range(3):
        repo.write(f"test/all/test_{part}.py", HEAD + "".join(old[3 * part : 3 * part + 3]))
    repo.write("test/all/test_fresh.py", HEAD + test("test_fresh"))
    assert new(repo) == ["test_fresh"]


def test_a_file_of_which_one_half_moved_out(repo, new) -> None:
    old = [test(f"test_{number}") for number in range(4)]
    repo.commit("old", {"test/test_all.py": HEAD + "".join(old)})
    repo.write("test/test_all.py", HEAD + "".join(old[:2]))
    repo.write("test/test_half.py", HEAD + "".join(old[2:]))
    assert new(repo) == []


def test_two_files_merged_into_one(repo, new) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + test("test_one"), "test/test_b.py": HEAD + test("test_two")})
    (repo.path / "test/test_a.py").unlink()
    repo.write("test/test_b.py", HEAD + test("test_one") + test("test_two") + test("test_fresh"))
    assert new(repo) == ["test_fresh"]


def test_a_copy_is_new_where_the_original_stays(repo, new) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + test("test_one")})
    repo.write("test/test_b.py", HEAD + test("test_one"))
    assert new(repo) == ["test_one"]


def test_a_duplicate_in_the_same_file_is_exactly_one(repo, judge) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + test("test_one")})
    repo.write("test/test_a.py", HEAD + "\n\nclass TestOther:" + test("test_one", indent="    ") + test("test_one"))
    outcome = judge(repo, "--base", "HEAD")
    assert outcome.symbols == ["TestOther::test_one"]


def test_a_test_moved_into_a_class(repo, new) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + test("test_one")})
    repo.write("test/test_a.py", HEAD + "\n\nclass TestAll:" + test("test_one", indent="    "))
    assert new(repo) == []


def test_a_test_moved_from_class_to_class_and_file_to_file(repo, new) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + "\n\nclass TestA:" + test("test_one", indent="    ")})
    repo.write("test/test_a.py", HEAD)
    repo.write("test/test_b.py", HEAD + "\n\nclass TestB:" + test("test_one", indent="    "))
    assert new(repo) == []


def test_a_re_indented_test(repo, new) -> None:
    spread = '@pytest.mark.skipif(\n    not torch.cuda.is_available(), reason="needs CUDA"\n)\n'
    old = HEAD + "\n\n" + spread + "def test_one():\n    assert True\n"
    repo.commit("old", {"test/test_a.py": old})
    inside = "".join(f"    {line}\n" for line in (spread + "def test_one():\n    assert True").splitlines())
    repo.write("test/test_a.py", HEAD + "\nif True:\n" + inside)
    assert new(repo) == []


def test_line_ends_changed(repo, new) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + test("test_one")})
    repo.write("test/test_a.py", (HEAD + test("test_one")).replace("\n", "\r\n"))
    assert new(repo) == []


def test_a_base_that_does_not_parse(repo, judge) -> None:
    """Nothing is known of the faults that it had, so what stands there now is new."""
    repo.commit("old", {"test/test_a.py": HEAD + test("test_one") + "x = (\n"})
    repo.write("test/test_a.py", HEAD + test("test_one"))
    outcome = judge(repo, "--base", "HEAD")
    assert outcome.symbols == ["test_one"]
    assert (outcome.status, outcome.err) == (1, "")


def test_a_file_that_still_does_not_parse_is_not_new(repo, new) -> None:
    repo.commit("old", {"test/test_a.py": "x = (\n"})
    repo.write("test/test_a.py", "y = 1\nx = (\n")
    assert new(repo) == []


def test_a_file_that_no_longer_parses(repo, new) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + test("test_one")})
    repo.write("test/test_a.py", HEAD + test("test_one") + "x = (\n")
    assert new(repo) == ["test_a"]


def test_deletion_only(repo, judge) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + test("test_one"), "test/test_b.py": HEAD + test("test_two")})
    (repo.path / "test/test_a.py").unlink()
    outcome = judge(repo, "--base", "HEAD")
    assert (outcome.status, outcome.found) == (0, [])
    assert outcome.report["stats"]["judged"] == 0


def test_nothing_changed(repo, new) -> None:
    assert new(repo) == []


def test_a_helper_that_begins_to_skip_makes_its_users_new(repo, new) -> None:
    helper = "import torch\n\nNEEDS = {}\n"
    user = "import pytest\n\nfrom helpers import NEEDS\n\n\n@pytest.mark.skipif(NEEDS, reason='x')\ndef test_user():\n    assert True\n"
    repo.commit("old", {"test/helpers.py": helper.format("False"), "test/test_a.py": user})
    repo.write("test/helpers.py", helper.format("not torch.cuda.is_available()"))
    assert new(repo) == ["test_user"]


def test_all_shows_old_ones_too_and_only_new_ones_fail(repo, judge) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + test("test_old")})
    outcome = judge(repo, "--base", "HEAD", "--all")
    assert (outcome.status, [(item["symbol"], item["new"]) for item in outcome.report["findings"]]) == (
        0,
        [("test_old", False)],
    )
    repo.write("test/test_b.py", HEAD + test("test_new"))
    outcome = judge(repo, "--base", "HEAD", "--all")
    assert outcome.status == 1
    assert [(item["symbol"], item["new"]) for item in outcome.report["findings"]] == [
        ("test_old", False),
        ("test_new", True),
    ]


def test_an_old_suppressed_fault_whose_suppression_went_is_new(repo, new) -> None:
    suppressed = (HEAD + test("test_one")).replace(
        "def test_one():", "def test_one():  # preflight: ignore[gpu-marker-missing] own job"
    )
    repo.commit("old", {"test/test_a.py": suppressed})
    repo.write("test/test_a.py", HEAD + test("test_one"))
    assert new(repo) == ["test_one"]


def test_a_suppressed_copy_leaves_the_old_fault_old(repo, new) -> None:
    repo.commit("old", {"test/test_a.py": HEAD + test("test_one")})
    second = test("test_one", indent="    ").replace(
        "(self):", "(self):  # preflight: ignore[gpu-marker-missing] own job"
    )
    repo.write("test/test_a.py", HEAD + "\n\nclass TestA:" + second + test("test_one"))
    assert new(repo) == []
