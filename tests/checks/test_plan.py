"""What a change needs to have run: on small real repositories, without a torch."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from torchrl_preflight.checks import areas, index, matrix
from torchrl_preflight.checks.record import TIERS
from torchrl_preflight.checks.routes import rows, rows_of, subjects

from .conftest import Outcome, Site

Smoke = Callable[..., Outcome]

TREE = {
    "pyproject.toml": '[project]\nname = "torchrl"\n',
    "version.txt": "0.14.0\n",
    "docs/source/index.rst": "TorchRL\n",
    "torchrl/__init__.py": "",
    "torchrl/envs/__init__.py": "from torchrl.envs.common import EnvBase\n",
    "torchrl/envs/common.py": "class EnvBase:\n    pass\n",
    "torchrl/objectives/__init__.py": "from torchrl.objectives.dqn import DQNLoss\nfrom torchrl.objectives.ppo import PPOLoss\n",
    "torchrl/objectives/dqn.py": "class DQNLoss:\n    pass\n",
    "torchrl/objectives/ppo.py": "class PPOLoss:\n    pass\n",
    "torchrl/testing/__init__.py": "",
    "torchrl/testing/modules.py": "class Net:\n    pass\n",
    "test/conftest.py": "",
    "test/objectives/_objectives_common.py": "from torchrl.testing.modules import Net\n",
    "test/objectives/test_dqn.py": "import pytest\nfrom torchrl.objectives import DQNLoss\n\n\n@pytest.mark.gpu\ndef test_it():\n    pass\n",
    "test/objectives/test_loss_module.py": "from torchrl.objectives import PPOLoss\n\n\ndef test_it():\n    pass\n",
    "test/objectives/test_ppo.py": "from _objectives_common import Net\n\n\ndef test_it():\n    pass\n",
    "test/test_mcts.py": "def test_it():\n    pass\n",
    "test/test_trainer.py": "from torchrl.objectives import DQNLoss\n\n\ndef test_it():\n    pass\n",
}


class Repo:
    """A git repository with the tree above in one commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit(TREE)

    def git(self, *arguments: str) -> str:
        who = {f"GIT_{role}_{key}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
        alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **who}
        command = ["git", *arguments]
        return subprocess.run(
            command, cwd=self.folder, env={**os.environ, **alone}, check=True, capture_output=True, text=True
        ).stdout

    def commit(self, files: dict[str, str | None]) -> None:
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.unlink() if text is None else file.write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", "change")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "rl"
    folder.mkdir()
    return Repo(folder)


@pytest.fixture
def plan(repo: Repo, smoke: Smoke) -> Callable[..., dict[str, Any]]:
    """``plan({path: text})``: the plan of a commit that writes these files (None deletes one)."""

    def made(files: dict[str, str | None]) -> dict[str, Any]:
        repo.commit(files)
        done = smoke("plan", "--repo", str(repo.folder), "--base", "HEAD^", "--format", "json")
        assert (done.status, done.err) == (0, "")
        return done.json

    return made


def test_the_map_and_the_imports_choose_the_tests(plan: Callable[..., dict[str, Any]], repo: Repo) -> None:
    made = plan({"torchrl/objectives/dqn.py": "class DQNLoss:\n    new = 1\n"})
    assert set(made) == {
        "schema", "base", "anything", "areas", "checks", "tests", "labels", "gpu", "olddeps", "optdeps", "unmapped",
        "matrix", "notes",
    }  # fmt: skip
    assert made["base"] == {"commit": repo.git("rev-parse", "HEAD^").strip(), "chosen_by": "--base HEAD^"}
    assert {row["path"]: row["reason"] for row in made["tests"]} == {
        "test/objectives/test_dqn.py": "torchrl/objectives/dqn.py is mapped to it",
        "test/objectives/test_loss_module.py": "torchrl/objectives/dqn.py is mapped to it",
        "test/test_trainer.py": "imports torchrl/objectives/dqn.py",
    }
    assert all(row["minutes"] > 0 for row in made["tests"])
    assert (made["anything"], made["gpu"], made["unmapped"]) == (True, True, [])
    on_cuda = [job for job in made["matrix"]["include"] if job["device"] == "cuda"]
    assert [(job["tests"], job["tier"]) for job in on_cuda if job["tests"]] == [("test/objectives/test_dqn.py", "gpu")]
    for job in made["matrix"]["include"]:
        assert list(job) == ["name", "device", "tier", "areas", "tests", "minutes"]


def test_a_changed_test_answers_for_itself(plan: Callable[..., dict[str, Any]]) -> None:
    made = plan({"test/test_mcts.py": "def test_other():\n    pass\n"})
    assert [(row["path"], row["reason"]) for row in made["tests"]] == [("test/test_mcts.py", "changed")]
    assert (made["areas"], made["gpu"]) == ([], False)
    (job,) = made["matrix"]["include"]
    assert (job["name"], job["device"], job["areas"], job["tests"]) == ("tests-cpu-1", "cpu", "", "test/test_mcts.py")


def test_a_helper_of_tests_hands_on_what_it_imports(plan: Callable[..., dict[str, Any]]) -> None:
    made = plan({"torchrl/testing/modules.py": "class Net:\n    new = 1\n"})
    assert [row["path"] for row in made["tests"]] == ["test/objectives/test_ppo.py"]
    assert made["notes"] == []


def test_a_conftest_answers_with_the_tests_below_it(plan: Callable[..., dict[str, Any]]) -> None:
    made = plan({"test/objectives/conftest.py": "import os\n"})
    assert [row["path"] for row in made["tests"]] == [path for path in TREE if path.startswith("test/objectives/test_")]


def test_a_deleted_file_has_its_rows(plan: Callable[..., dict[str, Any]]) -> None:
    made = plan({"torchrl/objectives/ppo.py": None})
    assert "test/objectives/test_ppo.py" in [row["path"] for row in made["tests"]]


def test_a_test_that_imports_a_deleted_file_is_run(plan: Callable[..., dict[str, Any]]) -> None:
    made = plan({"torchrl/objectives/dqn.py": None, "torchrl/objectives/deep.py": TREE["torchrl/objectives/dqn.py"]})
    reasons = {row["path"]: row["reason"] for row in made["tests"]}
    assert reasons["test/test_trainer.py"] == "imported torchrl/objectives/dqn.py, which is gone"


def test_a_deleted_test_has_nothing_to_run(plan: Callable[..., dict[str, Any]]) -> None:
    made = plan({"test/test_mcts.py": None})
    assert (made["tests"], made["notes"]) == ([], ["nothing to run for test/test_mcts.py: it is gone"])


def test_documentation_needs_nothing(plan: Callable[..., dict[str, Any]]) -> None:
    made = plan({"docs/source/index.rst": "TorchRL!\n"})
    assert (made["anything"], made["matrix"], made["areas"], made["tests"]) == (False, {"include": []}, [], [])
    assert made["notes"][0] == "nothing to run for docs/source/index.rst: documentation"


def test_an_unmapped_file_is_reported_and_the_import_graph_answers(plan: Callable[..., dict[str, Any]]) -> None:
    made = plan(
        {
            "torchrl/brandnew.py": "def new():\n    pass\n",
            "torchrl/envs/common.py": "from torchrl.brandnew import new\n\n\nclass EnvBase:\n    pass\n",
            "test/test_new.py": "from torchrl.brandnew import new\n\n\ndef test_it():\n    pass\n",
        }
    )
    assert made["unmapped"] == ["torchrl/brandnew.py"]
    assert "envs" in made["areas"]
    assert made["checks"][0].startswith("envs/")


def test_an_unmapped_file_that_nothing_imports_asks_for_every_area(plan: Callable[..., dict[str, Any]]) -> None:
    made = plan({"torchrl/brandnew.py": "def new():\n    pass\n"})
    assert made["areas"] == areas.names()
    elsewhere = plan({"somewhere/else.txt": "new\n"})
    assert (elsewhere["unmapped"], elsewhere["areas"]) == (["somewhere/else.txt"], [])


@pytest.mark.parametrize("name", ["test_a b.py", "test_$(reboot).py", "test_;x.py", "test_\n.py", "test_--x=`id`.py"])
def test_a_name_that_a_shell_would_interpret_reaches_no_job(plan: Callable[..., dict[str, Any]], name: str) -> None:
    made = plan({f"test/{name}": "def test_it():\n    pass\n"})
    assert made["matrix"] == {"include": []}
    assert [row["path"] for row in made["tests"]] == [f"test/{name}"]
    assert made["notes"][0].endswith("a shell would interpret")


def test_another_project_has_no_plan(tmp_path: Path, smoke: Smoke, repo: Repo) -> None:
    repo.git("rm", "-rq", "torchrl", "test")
    repo.commit(
        {"tensordict/__init__.py": "", "tensordict/base.py": "", "test/test_tensordict.py": "def test(): pass\n"}
    )
    done = smoke("plan", "--repo", str(repo.folder), "--base", "HEAD^")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "the map of areas and tests is that of pytorch/rl" in done.err


def test_the_plan_for_a_person_gives_the_reason_of_each_line(
    plan: Callable[..., dict[str, Any]], repo: Repo, smoke: Smoke
) -> None:
    plan({"torchrl/objectives/dqn.py": "class DQNLoss:\n    new = 1\n", "torchrl/x/y.py": ""})
    text = smoke("plan", "--repo", str(repo.folder), "--base", "HEAD^").out
    assert "imports torchrl/objectives/dqn.py" in text
    assert "unmapped: torchrl/x/y.py" in text
    assert re.search(r"^  tests-cuda-1 .* 1 test file$", text, re.MULTILINE)
    assert not text.endswith("\n\n")
    markdown = smoke("plan", "--repo", str(repo.folder), "--base", "HEAD^", "--format", "markdown").out
    assert "| test | `test/test_trainer.py` |" in markdown


def test_what_cannot_be_read_is_one_line_and_2(smoke: Smoke, repo: Repo, tmp_path: Path) -> None:
    for arguments in (["--repo", str(tmp_path)], ["--repo", str(repo.folder), "--base", "none"]):
        done = smoke("plan", *arguments)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done


def test_the_map_is_sound() -> None:
    """Every area of a row is told to people, every row has something to run or says why not."""
    known = {subject.area for subject in subjects()}
    for row in rows():
        assert set(row.areas) <= known, row
        assert row.tests or row.areas or row.why, row
    assert {area for row in rows() for area in row.areas} == known
    assert set(areas.names()) <= known
    assert [row.why for row in rows_of("torchrl/nowhere.py")] == []


def test_every_file_of_torchrl_is_in_the_map() -> None:
    """Of the release that is installed; those of a clone are told by benchmarks/selection.py."""
    folder = Path(find_spec("torchrl").origin).parent
    files = [f"torchrl/{path.relative_to(folder).as_posix()}" for path in folder.rglob("*") if path.is_file()]
    unmapped = [path for path in files if not rows_of(path) and "/__pycache__/" not in path and ".so" not in path]
    assert len(files) > 400
    assert unmapped == []


def test_every_test_file_of_torchrl_is_in_the_map() -> None:
    """As of the tree whose tests were timed; the few that only imports lead to are named."""
    recorded = list(matrix._durations()["tests"])
    stems = {path.stem for path in Path(find_spec("torchrl").origin).parent.rglob("*.py")}
    mapped = {test for row in rows() for stem in stems for test in row.tests_for(f"{stem}.py", recorded)}
    assert len(recorded) > 100
    assert set(recorded) - mapped == {
        "test/compile/test_compile_utils.py",
        "test/libs/test_torch_geometric.py",
        "test/test_shared.py",
    }


def test_checks_are_read_as_they_are_listed(smoke: Smoke) -> None:
    """What is read from the areas' files is what collecting them gives."""
    listed: dict[str, set[str]] = {}
    for it in smoke("list", "--format", "json").json["checks"]:
        listed.setdefault("/".join(it["id"].partition("@")[0].split("/")[:2]), set()).add(it["tier"])
    stated = {check.id: set(check.tiers) for area in areas.names() for check in index.checks(area)}
    assert stated.keys() == listed.keys()
    for name, tiers in stated.items():
        # a sweep of few cases may have none that is left for the full tier, or none for the cpu tier
        assert listed[name] <= tiers, name
        assert tiers - listed[name] <= {"full", "cpu"}, name


def test_tiers_are_read_from_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made.py").write_text(
        "pytestmark = [pytest.mark.limit(3), pytest.mark.tier('full')]\n"
        "@pytest.mark.tier('mp')\n@pytest.mark.limit(5)\ndef test_one(): pass\ndef test_two(device): pass\ndef helper(): pass\n"
        "many = pytest.mark.parametrize('x', sampled(['a', 'b'], every=2))\n"
        "@many\n@pytest.mark.tier('cpu')\ndef test_three(x): pass\n"
        "FEW = [1, pytest.param(2, marks=pytest.mark.tier('gpu'))]\n"
        "@pytest.mark.parametrize('x', FEW)\ndef test_four(x): pass\n"
        "def swept():\n    return pytest.mark.parametrize('x', [pytest.param(2, marks=pytest.mark.tier('optional'))])\n"
        "@swept()\ndef test_five(x): pass\n"
    )
    monkeypatch.setattr(index, "FOLDER", tmp_path)
    index.checks.cache_clear()
    assert index.checks("made") == (
        ("made/one", "made", ("mp",), False),
        ("made/two", "made", ("full",), True),
        ("made/three", "made", ("cpu", "full"), False),
        ("made/four", "made", ("full", "gpu"), False),
        ("made/five", "made", ("full", "optional"), False),
    )


def test_jobs_of_a_gpu_come_with_tests_for_one() -> None:
    checks = [
        index.Stated("a/one", "a", ("cpu", "full"), True),
        index.Stated("b/two", "b", ("mp",)),
        index.Stated("c/three", "c", ("gpu", "optional")),
    ]
    told = [(job["name"], job["device"], job["tier"], job["areas"]) for job in matrix.jobs(checks, [], [])]
    assert told == [
        ("smoke-cpu", "cpu", "cpu", "a"),
        ("smoke-full", "cpu", "full", "a"),
        ("smoke-mp", "cpu", "mp", "b"),
    ]
    more = [(job["name"], job["device"], job["tier"], job["areas"]) for job in matrix.jobs(checks, ["t"], ["t"])]
    assert more == [
        *told,
        ("smoke-gpu", "cuda", "gpu", "c"),
        ("smoke-cuda", "cuda", "cpu", "a"),
        ("tests-cpu-1", "cpu", "cpu", ""),
        ("tests-cuda-1", "cuda", "gpu", ""),
    ]


def test_shards_are_balanced_and_few_enough() -> None:
    tests = sorted(matrix._durations()["tests"])
    shards = matrix.balanced(tests, 256)
    assert sorted(test for shard in shards for test in shard) == tests
    spent = [sum(map(matrix.minutes, shard)) for shard in shards]
    longest = max(map(matrix.minutes, tests))
    assert max(spent) <= max(matrix.SHARD, longest)
    assert len(shards) <= sum(spent) / longest + 1
    assert matrix.balanced(tests[:3], 256) == [tests[:3]]  # short ones are not worth several jobs
    assert len(matrix.balanced([f"test/test_{number}.py" for number in range(9999)], 20)) == 20
    assert matrix.balanced([], 10) == []


def test_recorded_minutes_are_of_areas_that_exist() -> None:
    recorded = matrix._durations()["smoke"]
    assert recorded["start"] > 0 < recorded["unknown"]
    for tier, by_area in recorded.items():
        if isinstance(by_area, dict):
            assert tier in TIERS
            assert set(by_area) <= set(areas.names())


def test_plan_needs_nothing_of_the_smoke_extra(repo: Repo) -> None:
    repo.commit({"torchrl/objectives/dqn.py": "class DQNLoss:\n    new = 1\n"})
    code = (
        "import sys\nfor name in ('torch', 'tensordict', 'torchrl', 'pytest', 'hydra', 'packaging'):\n"
        "    sys.modules[name] = None\nfrom torchrl_preflight.checks.cli import main\nsys.exit(main())"
    )
    command = [sys.executable, "-c", code, "plan", "--base", "HEAD^", "--format", "json"]
    done = subprocess.run(command, cwd=repo.folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "objectives/test_dqn.py" in done.stdout


def test_changed_since_chooses_the_areas(
    repo: Repo, smoke: Smoke, monkeypatch: pytest.MonkeyPatch, site: Site, tmp_path: Path
) -> None:
    site.trio(envs="from torch import no_such_name")  # every area ends at once
    monkeypatch.chdir(repo.folder)
    repo.commit({"docs/source/index.rst": "TorchRL!\n"})
    done = smoke("--changed-since", "HEAD^")
    assert (done.status, done.out) == (0, "")
    assert done.err == (
        "torchrl-smoke: the change since HEAD^ touches no area of smoke checks, so there is nothing to verify\n"
    )
    done = smoke("--changed-since", "HEAD^", "--format", "json", "--junit-xml", str(tmp_path / "none.xml"))
    assert (done.status, done.json) == (0, {"schema": 1, "environment": {}, "checks": []})
    assert b'tests="0"' in (tmp_path / "none.xml").read_bytes()
    wrong = smoke("--changed-since", "gone")
    assert (wrong.status, wrong.out) == (2, "")
    assert (
        wrong.err
        == "torchrl-smoke: --changed-since gone: no such commit or tree here; fetch it (git fetch origin gone)\n"
    )
    repo.commit({"torchrl/envs/common.py": "class EnvBase:\n    new = 1\n"})
    done = smoke("--changed-since", "HEAD^", "--format", "json")
    assert done.status == 1
    assert "envs" in done.checks
    repo.commit({"torchrl/brandnew.py": "new = 1\n"})
    assert set(smoke("--changed-since", "HEAD^", "--format", "json").checks) == set(areas.names())
    both = smoke("--changed-since", "HEAD^", "--area", "envs")
    assert (both.status, both.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("form", ["json", "text", "markdown"])
def test_a_tree_that_fits_no_profile_has_nothing_to_run(tmp_path: Path, smoke: Smoke, form: str) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    done = smoke("plan", "--repo", str(tmp_path), "--format", form)
    assert (done.status, done.err) == (0, "")
    assert "no profile fits this tree (it has neither torchrl nor tensordict), so nothing was planned" in done.out
    if form == "json":
        assert (done.json["anything"], done.json["matrix"]) == (False, {"include": []})
