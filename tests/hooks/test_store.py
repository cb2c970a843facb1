"""A cache can only save time: whatever happens to its file, the output is byte for byte the same."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torchrl_preflight.hooks.facts.docstrings import docstrings
from torchrl_preflight.hooks.facts.python import module
from torchrl_preflight.hooks.facts.records import Module, plain, revive
from torchrl_preflight.hooks.facts.store import MAX_BYTES, Store, extract
from torchrl_preflight.hooks.report import Style, render
from torchrl_preflight.hooks.run import Options, run
from torchrl_preflight.hooks.tree import blob_id

LINT = Path(sys.executable).with_name("torchrl-lint")


# What Python says on hosts without named semaphores, as some sandboxes are.
_NO_SEMAPHORES = """
import sys
sys.modules["_multiprocessing"] = None
from torchrl_preflight.hooks.cli import main
sys.exit(main(sys.argv[1:]))
"""


def cache() -> Path:
    """Where the store of this test lies."""
    return Path(os.environ["XDG_CACHE_HOME"], "torchrl-preflight", "facts.sqlite")


def output(repo, *, store: bool = True, jobs: int = 1) -> str:
    """All findings of a repository as text, which tells nothing of the store."""
    report = run(Options(repo=str(repo.path), everything=True, cache=store, jobs=jobs))
    return render("text", report, Style(advice=True, suppressed=True))


@pytest.fixture
def faulty(repo, tests):
    """A repository with faults of several kinds, whose store is warm, and its output."""
    repo.write("test/test_a.py", tests("test_a", "test_b"))
    repo.write("torchrl/broken.py", "x = (\n")
    repo.write("test/test_s.py", "x = 1  # preflight: ignore[gpu-marker-missing] nothing here\n")
    expected = output(repo, store=False)
    assert not cache().exists()
    assert output(repo) == expected
    assert cache().exists()
    return repo, expected


PIECES = st.sampled_from(
    [
        "import pytest\n",
        "import torch as t\n",
        "from helpers import *\n",
        "cuda = torch.cuda.is_available()\n",
        "@pytest.mark.skipif(not torch.cuda.is_available(), reason='x')\n",
        "def test_a():\n    assert 1\n",
        "class TestB:\n    x = 1\n",
        "    def test_c(self): pass\n",
        "pytestmark = pytest.mark.gpu\n",
        "# preflight: ignore[gpu-marker-missing]\n",
        "\x00",
        "x = (\n",
        "\u00e9\n",
    ]
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    files=st.lists(
        st.one_of(st.lists(PIECES, max_size=8).map("".join).map(str.encode), st.binary(max_size=60)), max_size=4
    )
)
def test_with_and_without_the_store(repo, files) -> None:
    shutil.rmtree(cache().parent, ignore_errors=True)
    for number, data in enumerate(files):
        repo.write(f"test/test_{number}.py", data)
    expected = output(repo, store=False)
    assert output(repo) == expected
    assert output(repo) == expected


def test_one_and_several_jobs(repo, tests) -> None:
    for number in range(80):
        repo.write(f"test/test_{number}.py", tests(f"test_{number}") if number % 9 else "x = (\n")
    expected = output(repo, store=False, jobs=1)
    assert expected.count("gpu-marker-missing: ") == 71
    assert output(repo, store=False, jobs=4) == expected
    assert output(repo, store=True, jobs=4) == expected
    assert output(repo, store=True, jobs=4) == expected


def test_a_warm_store_is_read(faulty, judge) -> None:
    repo, _ = faulty
    stats = judge(repo, "--all").report["stats"]
    assert stats["read"] > 10
    assert stats["parsed"] == 0
    assert judge(repo, "--all", "--no-cache").report["stats"]["read"] == 0


def test_many_files_are_parsed_once_and_read_once(repo, tests, judge) -> None:
    for number in range(80):
        repo.write(f"test/test_{number}.py", tests(f"test_{number}"))
    cold = judge(repo, "--all", "--jobs", "2").report["stats"]
    warm = judge(repo, "--all", "--jobs", "2").report["stats"]
    # The workflow and its script come back as one row: what they run. The sum over the code is another.
    assert (cold["parsed"], warm["read"]) == (93, 93)
    assert cold["read"] == warm["parsed"] == 0


def test_without_processes_of_its_own(repo, tests) -> None:
    for number in range(70):
        repo.write(f"test/test_{number}.py", tests(f"test_{number}"))
    expected = output(repo, store=False).rpartition("run again: ")[0]
    done = subprocess.run(
        [sys.executable, "-c", _NO_SEMAPHORES, "--all", "--jobs", "4"],
        cwd=repo.path,
        capture_output=True,
        text=True,
    )
    assert done.stdout.rpartition("run again: ")[0] == expected
    assert (done.returncode, done.stderr) == (0, "")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file(faulty, data) -> None:
    repo, expected = faulty
    whole = cache().read_bytes()
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        junk = data.draw(st.binary(min_size=1, max_size=200))
        start = data.draw(st.integers(0, len(whole) - 1))
        damaged[start : start + len(junk)] = junk
    cache().write_bytes(damaged)
    assert output(repo) == expected
    assert output(repo) == expected
    shutil.rmtree(cache().parent)
    assert output(repo) == expected


@pytest.mark.parametrize("length", [0, 1, 16, 99, 1024, 4096, 5000, -1])
def test_a_truncated_file(faulty, length) -> None:
    repo, expected = faulty
    cache().write_bytes(cache().read_bytes()[:length])
    assert output(repo) == expected
    assert output(repo) == expected


@pytest.mark.parametrize(
    "content",
    [b"not a database, but of some length" * 99, b"SQLite format 3\0", b"\0" * 5000],
    ids=["text", "magic", "zeros"],
)
def test_another_file_in_its_place(faulty, content) -> None:
    repo, expected = faulty
    cache().write_bytes(content)
    assert output(repo) == expected


def test_a_damaged_file_is_replaced(faulty, judge) -> None:
    repo, expected = faulty
    cache().write_bytes(b"not a database, but of some length" * 99)
    assert output(repo) == output(repo) == expected
    assert judge(repo, "--all").report["stats"]["parsed"] == 0


def test_a_row_that_is_not_what_was_written(faulty) -> None:
    repo, expected = faulty
    with sqlite3.connect(cache()) as database:
        database.execute("UPDATE facts SET row = x'e9ff'")
    assert output(repo) == expected


def test_a_row_of_another_key(faulty) -> None:
    """As a damaged page can bring it: a whole row with its sum, but another file's."""
    repo, expected = faulty
    with sqlite3.connect(cache()) as database:
        broken = blob_id(b"x = (\n")
        rows = database.execute("SELECT sum, row FROM facts WHERE blob = ?", (broken,)).fetchall()
        assert len(rows) == 1
        database.execute("UPDATE facts SET sum = ?, row = ? WHERE kind = 'python'", rows[0])
    assert output(repo) == expected


def test_a_table_of_another_shape(faulty) -> None:
    repo, expected = faulty
    with sqlite3.connect(cache()) as database:
        database.execute("DROP TABLE facts")
        database.execute("CREATE TABLE facts (other)")
    assert output(repo) == expected


def test_rows_of_another_version_are_not_read(faulty, judge) -> None:
    repo, expected = faulty
    with sqlite3.connect(cache()) as database:
        database.execute("UPDATE facts SET version = 'other'")
    stats = judge(repo, "--all").report["stats"]
    assert (stats["read"], stats["parsed"] > 10) == (0, True)
    assert output(repo) == expected


def test_a_folder_in_its_place(faulty) -> None:
    repo, expected = faulty
    cache().unlink()
    cache().mkdir()
    assert output(repo) == expected


@pytest.mark.parametrize("folder", ["/proc/nowhere", "/dev/null", "/dev/null/deeper"])
def test_a_folder_that_cannot_be_written(faulty, monkeypatch, folder) -> None:
    repo, expected = faulty
    monkeypatch.setenv("XDG_CACHE_HOME", folder)
    assert output(repo) == expected


@pytest.mark.parametrize("warm", [True, False])
@pytest.mark.parametrize("limit", [0, 4096, 40_000])
def test_a_full_disk(faulty, warm, limit) -> None:
    repo, expected = faulty
    if not warm:
        shutil.rmtree(cache().parent)
    repo.write("test/test_more.py", "x = 2\n")
    expected = output(repo, store=False)
    done = subprocess.run(
        [LINT, "--all", "--advice", "--show-suppressed", "--jobs", "1"],
        cwd=repo.path,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.stdout.rpartition("run again: ")[0] == expected.rpartition("run again: ")[0]
    assert (done.returncode, done.stderr) == (0, "")
    assert output(repo) == expected


def test_a_store_that_grew_too_large_starts_anew(faulty) -> None:
    repo, expected = faulty
    os.truncate(cache(), MAX_BYTES + 1)
    assert output(repo) == expected
    assert 0 < cache().stat().st_size < 1_000_000


def test_four_processes_at_once(repo, tests) -> None:
    for number in range(70):
        repo.write(f"test/test_{number}.py", tests(f"test_{number}"))
    expected = output(repo, store=False).rpartition("run again: ")[0]
    processes = [
        subprocess.Popen(
            [LINT, "--all", "--jobs", "1"], cwd=repo.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    outputs = [(*process.communicate(), process.returncode) for process in processes]
    assert {(out.rpartition("run again: ")[0], err, status) for out, err, status in outputs} == {(expected, "", 0)}
    with sqlite3.connect(cache()) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_store_that_another_process_holds(faulty) -> None:
    repo, expected = faulty
    with sqlite3.connect(cache(), isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert output(repo) == expected
        other.execute("ROLLBACK")
    assert output(repo) == expected


def test_what_cannot_be_had_has_no_facts(tmp_path) -> None:
    store = Store(tmp_path / "facts.sqlite")
    assert store.facts("python", "0" * 40, lambda: None) is None
    store.close()


@pytest.mark.parametrize("number, jobs", [(3, 1), (80, 2)])
def test_code_and_docstrings_are_read_together(number, jobs) -> None:
    files = {
        str(at): f'def f{at}(x):\n    """See :func:`~a.f{at}`.\n\n    Args:\n        x: y.\n    """\n'.encode()
        for at in range(number)
    }
    store = Store(None)
    store.prime(
        dict.fromkeys(files, ("python", "docstrings")),
        {blob: lambda data=data: data for blob, data in files.items()},
        jobs,
    )
    assert store.parsed == 2 * number
    for blob, data in files.items():
        assert store.facts("python", blob, pytest.fail) == module(data)
        assert store.facts("docstrings", blob, pytest.fail) == docstrings(data)


@settings(max_examples=60, deadline=None)
@given(data=st.lists(PIECES, max_size=12).map("".join).map(str.encode))
def test_records_survive_the_way_through_the_store(data) -> None:
    facts = module(data)
    assert revive(Module, plain(facts)) == facts
    assert type(revive(Module, plain(facts))) is Module
    assert extract("python", data) == extract("python", data)
