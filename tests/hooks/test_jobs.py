"""Which job collects which test, on small workflows and scripts (``ci/``) that look like the real ones."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from torchrl_preflight.hooks.facts.shell import script
from torchrl_preflight.hooks.facts.store import Store
from torchrl_preflight.hooks.profile import choose
from torchrl_preflight.hooks.project import Project, ci, ci_reader, github, jobs, needs, select, tests
from torchrl_preflight.hooks.project.events import Gate
from torchrl_preflight.hooks.project.interpreter import Interpreter
from torchrl_preflight.hooks.tree import plain_folder

CI = Path(__file__).parent / "ci"
ONE = "def test_one():\n    pass\n"
GPU = "import pytest\n\n\n@pytest.mark.gpu\ndef test_one():\n    pass\n"
FILES = {
    "torchrl/__init__.py": "",
    "test/test_specs.py": ONE,
    "test/test_collectors.py": GPU,
    "test/test_distributed.py": ONE,
    "test/test_rlhf.py": ONE,
    "test/smoke_test.py": ONE,
    "test/services/test_services.py": ONE,
    "test/libs/test_brax.py": "class TestBrax:\n    def test_one(self):\n        pass\n",
    "test/libs/test_gym.py": "class TestGym:\n    def test_one(self):\n        pass\n",
    "test/libs/test_isaac.py": "class TestIsaacLab:\n    def test_gym(self):\n        pass\n",
    "test/llm/test_sglang.py": ONE,
    "test/llm/test_data.py": ONE,
    "benchmarks/test_envs.py": ONE,
    "benchmarks/test_llm.py": ONE,
}

EVERY = ("pull request", "push", "dispatch", "nightly")

Make = Callable[..., Project]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """``make(files, workflows=...)``: a project with the tree of ``ci/`` and these files."""

    def project(files: dict[str, str] | None = None, *, workflows: bool = True) -> Project:
        root = tmp_path / "tree"
        if workflows:
            shutil.copytree(CI, root, dirs_exist_ok=True)
        for path, text in {**FILES, **(files or {})}.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(dedent(text))
        tree = plain_folder(root)
        return Project(tree, choose(tree, frozenset()), Store(None))

    return project


def told(project: Project, *labels: str) -> list[tuple]:
    """(name, paths, -k, -m) of the runs of some jobs."""
    return [
        (run.name, run.selection.paths, run.selection.keyword, run.selection.marker)
        for run in ci.runs(project)
        if run.label in labels
    ]


def collecting(project: Project, path: str, symbol: str = "test_one") -> set[str]:
    """Names of the variants that execute a test."""
    (test,) = [test for test in tests.collected(project, path) if test.symbol == symbol]
    return {run.name for run in jobs.runs_of(project, path) if not jobs.refusal(project, run, test)}


# Runs of the tree


def test_shards_and_suites_steer_the_branches(make: Make) -> None:
    project = make()
    smoke = ("test/smoke_test.py",)
    spawning = ("test/test_collectors.py", "test/services")
    assert told(project, "tests-cpu", "tests-gpu", "tests-gpu-distributed", "tests-cpu-mid") == [
        ("tests-cpu (3.10, bulk)", smoke, "", ""),
        ("tests-cpu (3.10, bulk)", ("test",), "", "not gpu"),
        ("tests-cpu (3.10, spawning)", smoke, "", ""),
        ("tests-cpu (3.10, spawning)", spawning, "", "not gpu"),
        ("tests-cpu (3.14, bulk)", smoke, "", ""),
        ("tests-cpu (3.14, bulk)", ("test",), "", "not gpu"),
        ("tests-cpu (3.14, spawning)", smoke, "", ""),
        ("tests-cpu (3.14, spawning)", spawning, "", "not gpu"),
        ("tests-cpu-mid (3.12)", smoke, "", ""),
        ("tests-cpu-mid (3.12)", ("test",), "", ""),
        ("tests-gpu (13.0, 1)", smoke, "", ""),
        ("tests-gpu (13.0, 1)", spawning, "", "gpu"),
        ("tests-gpu (13.0, 2)", smoke, "", ""),
        ("tests-gpu (13.0, 2)", ("test",), "", "gpu"),
        ("tests-gpu-distributed", smoke, "", ""),
        ("tests-gpu-distributed", ("test/test_distributed.py",), "", ""),
    ]
    bulk = next(run for run in ci.runs(project) if run.name == "tests-cpu (3.10, bulk)" and run.selection.marker)
    assert bulk.selection.ignores == (
        "test/test_distributed.py",
        "test/llm",
        "test/test_rlhf.py",
        "test/test_collectors.py",
        "test/services",
    )
    assert (bulk.workflow, bulk.line) == (".github/workflows/test-linux.yml", 14)
    assert (bulk.script, bulk.script_line) == (".github/unittest/linux/run_all.sh", 60)
    assert ".github/unittest/helpers/report.sh" in bulk.scripts


def test_scripts_that_call_scripts_functions_and_loops(make: Make) -> None:
    assert told(
        make(),
        "tests-olddeps",
        "tests-optdeps",
        "tests-optdeps-smoke",
        "unittests-brax",
        "unittests-gym",
        "unittests-isaaclab",
        "test-linux-llm: tests",
        "unittests-cpu",
        "benchmarks: tests",
    ) == [
        ("benchmarks: tests (CPU)", ("benchmarks",), "", ""),
        ("benchmarks: tests (GPU)", ("benchmarks",), "", ""),
        ("unittests-brax", ("test/libs",), "TestBrax", ""),
        ("unittests-gym", ("test/libs",), "gym and not isaac", ""),
        ("unittests-isaaclab", ("test/libs",), "isaac", ""),
        ("test-linux-llm: tests", ("test/llm/test_sglang*.py",), "", ""),
        ("test-linux-llm: tests", ("test/llm",), "", ""),
        ("tests-olddeps", (), "not HalfCheetah-v2", ""),
        ("tests-optdeps", ("test",), "", ""),
        ("tests-optdeps-smoke", ("test/smoke_test.py",), "", ""),
        ("unittests-cpu (windows.4xlarge)", (), "", ""),
    ]


def test_no_other_job_runs_pytest(make: Make) -> None:
    assert {run.job for run in ci.runs(make())} == {
        "tests",
        "unittests-brax",
        "unittests-gym",
        "unittests-isaaclab",
        "tests-cpu",
        "tests-cpu-mid",
        "tests-gpu",
        "tests-gpu-distributed",
        "tests-olddeps",
        "tests-optdeps",
        "tests-optdeps-smoke",
        "unittests-cpu",
    }


def test_hosts(make: Make) -> None:
    assert {(run.label, run.gpus) for run in ci.runs(make())} == {
        ("benchmarks: tests", 0),
        ("benchmarks: tests", 1),
        ("unittests-brax", 1),
        ("unittests-gym", 1),
        ("unittests-isaaclab", 1),
        ("test-linux-llm: tests", 1),
        ("tests-cpu", 0),
        ("tests-cpu-mid", 0),
        ("tests-gpu", 1),
        ("tests-gpu-distributed", 4),
        ("tests-olddeps", 1),
        ("tests-optdeps", 1),
        ("tests-optdeps-smoke", 1),
        ("unittests-cpu", 0),
    }


@pytest.mark.parametrize(
    ("label", "count"),
    [
        ("linux.12xlarge", 0),
        ("linux.g5.4xlarge.nvidia.gpu", 1),
        ("linux.g5.12xlarge.nvidia.gpu", 4),
        ("ubuntu-latest", 0),
        ("linux.g6.4xlarge.experimental.nvidia.gpu", 1),
        ("windows.g5.4xlarge.nvidia.gpu", 1),
        ("linux.p4d.24xlarge.nvidia.gpu", 8),
    ],
)
def test_gpus_by_runner_label(label: str, count: int) -> None:
    assert ci_reader.gpus(label) == count


def test_gates(make: Make) -> None:
    gates = {run.label: {gate.event: gate for gate in run.gates} for run in ci.runs(make())}
    always = {event: Gate(event) for event in EVERY}
    assert gates["tests-cpu"] == always
    assert gates["tests-cpu-mid"] == {event: gate for event, gate in always.items() if event != "pull request"}
    assert gates["tests-olddeps"] == {**always, "pull request": Gate("pull request", labels=("ci/olddeps",))}
    assert gates["tests-optdeps-smoke"] == {"pull request": Gate("pull request", without=("ci/optdeps",))}
    # The scheduled nightly is neither "push" nor "workflow_call" to the job that it calls.
    assert gates["unittests-brax"] == {
        "pull request": Gate("pull request", labels=("Environments", "Environments/brax")),
        "push": Gate("push"),
        "dispatch": Gate("dispatch"),
    }
    assert gates["unittests-gym"] == always
    assert gates["test-linux-llm: tests"] == {
        "pull request": Gate("pull request", labels=("llm/*",)),
        "push": Gate("push", paths=("torchrl/llm/**",)),
    }
    assert gates["unittests-cpu"] == {"release": Gate("release"), "nightly": Gate("nightly")}
    assert gates["benchmarks: tests"] == {"push": Gate("push")}


# Decisions about tests


def test_who_collects_what(make: Make) -> None:
    project = make()
    nothing_filtered = {"tests-cpu-mid (3.12)", "tests-olddeps", "tests-optdeps", "unittests-cpu (windows.4xlarge)"}
    assert collecting(project, "test/test_specs.py") == nothing_filtered | {
        "tests-cpu (3.10, bulk)",
        "tests-cpu (3.14, bulk)",
    }
    assert collecting(project, "test/test_collectors.py") == nothing_filtered | {"tests-gpu (13.0, 1)"}
    assert collecting(project, "test/test_distributed.py") == {"tests-gpu-distributed"}
    assert collecting(project, "test/test_rlhf.py") == nothing_filtered - {"tests-cpu-mid (3.12)"}
    assert collecting(project, "test/llm/test_sglang.py") == {"test-linux-llm: tests"}
    assert collecting(project, "benchmarks/test_llm.py") == set()
    assert "unittests-brax" in collecting(project, "test/libs/test_brax.py", "TestBrax::test_one")
    assert "unittests-gym" not in collecting(project, "test/libs/test_isaac.py", "TestIsaacLab::test_gym")
    assert "unittests-isaaclab" in collecting(project, "test/libs/test_isaac.py", "TestIsaacLab::test_gym")


def reason(
    project: Project, label: str, path: str, symbol: str = "", marks: tuple[str, ...] = (), parameters: str = ""
) -> str:
    reasons = {
        jobs.collects(project, run, path, symbol, marks, parameters) for run in ci.runs(project) if run.name == label
    }
    # The smoke run before the suite does not have the path.
    return "" if "" in reasons else next(iter(reasons - {"not among its paths"}), "not among its paths")


@pytest.mark.parametrize(
    ("label", "path", "symbol", "marks", "why"),
    [
        ("tests-cpu (3.10, bulk)", "test/test_specs.py", "test_one", (), ""),
        ("tests-cpu (3.10, bulk)", "test/test_specs.py", "test_one", ("gpu",), "deselected by -m 'not gpu'"),
        ("tests-cpu (3.10, bulk)", "test/test_specs.py", "test_one", ("slow",), "skipped: slow without --runslow"),
        ("tests-cpu (3.10, bulk)", "test/llm/test_data.py", "", (), "left out by --ignore test/llm"),
        ("tests-cpu (3.10, bulk)", "test/helpers.py", "", (), "its name is not a test file's"),
        ("tests-cpu (3.10, bulk)", "benchmarks/test_envs.py", "", (), "not among its paths"),
        # A file that is named is collected whatever its name.
        ("tests-cpu (3.10, bulk)", "test/smoke_test.py", "test_one", (), ""),
        ("unittests-brax", "test/libs/test_brax.py", "TestBrax::test_one", ("slow",), ""),
        ("unittests-brax", "test/libs/test_gym.py", "TestGym::test_one", (), "deselected by -k TestBrax"),
        ("unittests-gym", "test/libs/test_gym.py", "TestOther::test_one", (), ""),
        ("unittests-gym", "test/libs/test_brax.py", "TestBrax::test_GymLike", (), ""),
        ("unittests-gym", "test/libs/test_brax.py", "TestBrax::test_one", ("gym_only",), ""),
        ("test-linux-llm: tests", "test/llm/test_sglang.py", "", (), ""),
        ("unittests-cpu (windows.4xlarge)", "test/test_specs.py", "test_one", (), ""),
    ],
)
def test_reasons(make: Make, label: str, path: str, symbol: str, marks: tuple[str, ...], why: str) -> None:
    assert reason(make(), label, path, symbol, marks) == why


def test_keyword_may_match_a_parameter(make: Make) -> None:
    project = make()
    path = "test/libs/test_brax.py"
    assert (
        reason(project, "unittests-gym", path, "TestBrax::test_one", ("parametrize",), "mark.parametrize('x', ['gym'])")
        == ""
    )
    assert reason(
        project, "unittests-gym", path, "TestBrax::test_one", ("parametrize",), "mark.parametrize('x', ['brax'])"
    ) == ("deselected by -k 'gym and not isaac'")


@pytest.mark.parametrize(
    ("command", "taken"),
    [
        ("pytest", {"a", "sub/b"}),
        ("pytest test/test_a.py", {"a"}),
        ("pytest test/*.py", {"a", "helper"}),
        ("pytest test/test_a.py::test_one", {"a"}),
        ("pytest test/test_a.py::test_other", set()),
        ("pytest test --deselect test/test_a.py::test_one", {"sub/b"}),
        ("pytest test --deselect 'test/test_a.py::test_one[1]'", {"a", "sub/b"}),
        ("pytest test --ignore-glob='*/sub/*'", {"a"}),
        ("pytest . --ignore test/sub/", {"a"}),
        ("cd test && pytest . --ignore sub", {"a"}),
        ("pytest test/helper.py --ignore test", {"helper"}),
        ("pytest test/test_a.py $(curl x)", {"a", "sub/b", "helper"}),
        ("pytest benchmarks $(curl x)", set()),
    ],
)
def test_paths(make: Make, command: str, taken: set[str]) -> None:
    names = {"test/test_a.py": "a", "test/sub/test_b.py": "sub/b", "test/helper.py": "helper"}
    workflow = f"on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: |\n          {command}\n"
    files = {".github/workflows/a.yml": workflow, "pytest.ini": "[pytest]\ntestpaths = test\n"}
    project = make({**dict.fromkeys(names, ONE), **files}, workflows=False)
    assert {names[path] for path in names if collecting(project, path)} == taken


def test_exempting_jobs(make: Make) -> None:
    project = make()

    def exempting(path: str, symbol: str) -> set[str]:
        return {run.label for run in ci.runs(project) if jobs.exempts(project, run, path, symbol)}

    # On a GPU host without -m; tests-olddeps and tests-optdeps do not count, benchmarks see no test.
    assert exempting("test/test_specs.py", "test_one") == set()
    assert exempting("test/test_distributed.py", "test_one") == {"tests-gpu-distributed"}
    assert exempting("test/libs/test_brax.py", "TestBrax::test_one") == {"unittests-brax"}
    assert exempting("test/llm/test_data.py", "test_one") == {"test-linux-llm: tests"}
    assert exempting("test/smoke_test.py", "test_one") == {"tests-gpu", "tests-gpu-distributed", "tests-optdeps-smoke"}


def test_filter_by_mark(make: Make) -> None:
    project = make()
    assert (jobs.filters_by(project, "gpu"), jobs.filters_by(project, "slow")) == (True, False)


def test_a_tree_before_the_filter_has_none(make: Make) -> None:
    project = make({".github/unittest/linux/run_all.sh": "pytest test\n"})
    assert not jobs.filters_by(project, "gpu")


def test_without_workflows_there_are_no_runs(make: Make) -> None:
    project = make(workflows=False)
    assert (ci.runs(project), jobs.filters_by(project, "gpu")) == ((), False)


def test_rows_with_marks_of_their_own(make: Make) -> None:
    project = make(
        {
            "test/test_specs.py": """
        import pytest


        @pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=[pytest.mark.gpu])])
        def test_one(device):
            pass
    """
        }
    )
    assert {name for name in collecting(project, "test/test_specs.py") if "-" in name and "tests-" in name} >= {
        "tests-cpu (3.10, bulk)",
        "tests-gpu (13.0, 2)",
    }


def test_a_workflow_that_does_not_parse_is_noted_and_leaves_things_open(make: Make) -> None:
    project = make({".github/workflows/broken.yml": "on: [push\n"})
    assert len(ci.runs(project)) == len(ci.runs(make()))
    assert project.notes == [".github/workflows/broken.yml:2: not read as a workflow: did not find expected ',' or ']'"]
    assert ci.incomplete(project)


def test_scripts_that_nobody_calls(make: Make) -> None:
    project = make()
    ((path, found),) = ci.dead_scripts(project).items()
    assert path == ".github/unittest/genesis/run_test.sh"
    (run,) = found
    assert (run.script_line, run.selection.paths, run.selection.keyword) == (2, ("test/test_libs.py",), "TestGenesis")
    assert not ci.incomplete(project)


# The interpreter alone


def commands(text: str, scripts: dict[str, str] | None = None, **variables: str) -> list[tuple[str, ...]]:
    """Paths of each pytest command, with -k and -m where there is one."""
    facts = {path: script(dedent(body).encode()) for path, body in (scripts or {}).items()}
    interpreter = Interpreter(facts.get, lambda path: path in facts or path.startswith("test"), lambda found: True)
    interpreter.run(script(dedent(text).encode()).body, variables)
    return [
        (
            *command.selection.paths,
            *[f"-k {text}" for text in [command.selection.keyword] if text],
            *[f"-m {text}" for text in [command.selection.marker] if text],
        )
        for command in interpreter.commands
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pytest test/a.py -k 'x and y' -m gpu", [("test/a.py", "-k x and y", "-m gpu")]),
        ("python3 -m pytest -mgpu test", [("test", "-m gpu")]),
        ("coverage run -m pytest test", [("test",)]),
        ("coverage run --parallel-mode -m pytest test -m 'not gpu'", [("test", "-m not gpu")]),
        ("uv run pytest test", [("test",)]),
        ("timeout -k 5 60s xvfb-run -a env -u X A=1 python -m pytest test", [("test",)]),
        ("echo pytest test; pip install pytest; grep pytest x", []),
        ("pytest --collect-only test; pytest --version", []),
        ("pytest test --durations 20 --unknown-option value --timeout=3", [("test",)]),
        ("cd test && pytest a.py", [("test/a.py",)]),
        ("cd test; cd ..; pytest test/a.py", [("test/a.py",)]),
        ('cd "$(git rev-parse --show-toplevel)/test"; pytest .', [("test",)]),
        ("cd /elsewhere; pytest test", [("test",)]),
        ("A=test/a.py; A+=' test/b.py'; pytest $A", [("test/a.py", "test/b.py")]),
        ('A=(test/a.py); A+=(test/b.py); pytest "${A[@]}" ${A[0]}', [("test/a.py", "test/b.py", "test/a.py")]),
        ("for x in a b; do pytest test/$x.py; done", [("test/a.py",), ("test/b.py",)]),
        ("for x in a b c; do [ $x = b ] && continue; [ $x == c ] && break; pytest test/$x.py; done", [("test/a.py",)]),
        ('f() { pytest "test/$1" "${@:2}"; }; f a.py', [("test/a.py",)]),
        ('f() { local x=${1:-all}; shift; pytest test/$x "$@"; }; f a.py -k z', [("test/a.py", "-k z")]),
        ("f() { echo test/a.py; }; pytest $(f)", [("test/a.py",)]),
        ('set -- test/a.py test/b.py; pytest "$@"', [("test/a.py", "test/b.py")]),
        ('if [ -n "$NOTHING" ]; then pytest test/a.py; else pytest test/b.py; fi', [("test/b.py",)]),
        ("if curl x; then pytest test/a.py; else pytest test/b.py; fi", [("test/a.py",), ("test/b.py",)]),
        (
            'if [ "$GITHUB_REF" = x ]; then F=a; else F=b; fi; [ $F = a ] && pytest test/a.py; [ $F = b ] && pytest test/b.py',
            [("test/a.py",), ("test/b.py",)],
        ),
        ("if curl x; then exit 0; fi; pytest test", [("test",)]),
        ("exit 0; pytest test", []),
        ("(exit 0); pytest test", [("test",)]),
        ("case cpu in c*) pytest test/a.py ;; *) pytest test/b.py ;; esac", [("test/a.py",)]),
        ("case $GITHUB_REF in x) pytest test/a.py ;; *) pytest test/b.py ;; esac", [("test/a.py",), ("test/b.py",)]),
        (
            "true || pytest test/a.py; false || pytest test/b.py; true && pytest test/c.py",
            [("test/b.py",), ("test/c.py",)],
        ),
        ("! pytest test", [("test",)]),
        ("pytest test | tee log", [("test",)]),
        ("V=cu13.0; V=${V#cu}; [ ${V:0:2}${V:3:1} = 130 ] && pytest test", [("test",)]),
        (
            "X=a/b.sh; [ ${X##*/} = b.sh ] && [ ${X%/*} = a ] && [ ${X//b/c} = a/c.sh ] && [ ${#X} -eq 6 ] && pytest test",
            [("test",)],
        ),
        ("[[ -f test/a.py && ! -z x ]] && pytest test", [("test",)]),
        ("[[ abc =~ ^a.c$ ]] && pytest test", [("test",)]),
        ("printf '%s' x | while read -r id; do pytest test/a.py; done", [("test/a.py",)]),
        (
            'mapfile -t I < <(pytest test/libs -k isaac --co -q | grep ::); for i in "${I[@]}"; do pytest "$i" -k lab; done',
            [("test/libs", "-k (isaac) and (lab)")],
        ),
        ("pytest test/libs --co -q | xargs pytest", [("test/libs",)]),
        ("bash -c 'pytest test/a.py'", [("test/a.py",)]),
        ("f() { f; }; f; pytest test", [("test",)]),
        ("while true; do pytest test; done", [("test",)]),
        ("cat <<EOF\npytest test\nEOF\n", []),
    ],
)
def test_commands(text: str, found: list[tuple[str, ...]]) -> None:
    assert commands(text) == found


def test_environment_goes_to_children_as_far_as_it_is_exported() -> None:
    child = {"run.sh": "pytest test/${A:-none} ${B:-}"}
    assert commands("A=a\nexport B=test/b\nbash run.sh\n", child) == [("test/none", "test/b")]
    assert commands("A=a bash run.sh\nbash run.sh\n", child) == [("test/a",), ("test/none",)]
    assert commands("./run.sh", child, A="x") == [("test/x",)]


def test_source_shares_its_variables_and_bash_does_not() -> None:
    scripts = {"lib/vars.sh": 'HERE=$(dirname "${BASH_SOURCE[0]}")\nA=test/a.py\n', "lib/run.sh": "exit 1\n"}
    assert commands("source lib/vars.sh\nbash lib/run.sh\npytest $A\n", scripts) == [("test/a.py",)]


def test_this_dir_of_a_script() -> None:
    scripts = {
        "ci/a/run_all.sh": """
            this_dir="$( cd "$( dirname "${BASH_SOURCE[0]}" )" >/dev/null 2>&1 && pwd )"
            bash ${this_dir}/../run_test.sh
        """,
        "ci/run_test.sh": 'DIR="$(cd "$(dirname "$0")" && pwd)"\npytest $DIR/test_x.py\n',
    }
    assert commands("bash ci/a/run_all.sh", scripts) == [("ci/test_x.py",)]


def test_arguments_that_are_not_known_are_said_to_be_unread() -> None:
    interpreter = Interpreter({}.get, lambda path: True, lambda found: True)
    text = b'pytest test/a.py $(curl x) --report=$GITHUB_REF\npytest test -k "$(curl x)"\npytest test --report=$CI\n'
    interpreter.run(script(text).body, {})
    assert [command.selection.unread for command in interpreter.commands] == [True, True, False]


def test_scripts_that_call_each_other_end() -> None:
    assert commands("bash a.sh", {"a.sh": "bash b.sh\npytest test\n", "b.sh": "bash a.sh\n"})[0] == ("test",)


# Expressions


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("", True),
        ("a", True),
        ("not a", False),
        ("a and b", False),
        ("a or b", True),
        ("not (a and b) and c", True),
        ("b and u", False),
        ("a or u", True),
        ("u", None),
        ("not u", None),
        ("a and", None),
        ("(a", None),
        ("a b", None),
        ("[u]", None),
    ],
)
def test_expressions_of_k_and_m(expression: str, found: bool | None) -> None:
    assert select.matches(expression, {"a": True, "b": False, "c": True}.get) is found


CONTEXTS = {
    "github": {
        "event_name": "pull_request",
        "event": {"pull_request": {"labels": [{"name": "ci/Olddeps"}, {"name": "llm/api"}]}},
    },
    "matrix": {"shard": "1"},
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("github.event_name == 'PULL_REQUEST'", True),
        ("${{ github.event_name != 'push' && !false }}", True),
        ("contains(github.event.pull_request.labels.*.name, 'ci/olddeps')", True),
        ("contains(github.event.pull_request.labels.*.name, 'ci/old')", False),
        ("contains(join(github.event.pull_request.labels.*.name, ', '), 'llm/')", True),
        ("contains(format(', {0}, ', join(github.event.pull_request.labels.*.name, ', ')), ', llm/api, ')", True),
        ("startsWith(matrix.shard, '1') && endsWith('abc', 'BC')", True),
        ("needs.config.outputs.run == 'true'", None),
        ("needs.config.outputs.run == 'true' && github.event_name == 'push'", False),
        ("needs.x.result || github['event_name'] == 'pull_request'", True),
        ("always()", True),
        ("!cancelled() && success()", True),
        ("failure()", False),
        ("1 < 2 && 2 >= 2 && null == 0 && '' == false", True),
        ("'it''s' == 'IT''S'", True),
    ],
)
def test_github_conditions(text: str, found: bool | None) -> None:
    assert github.truth(github.parse(text), CONTEXTS) is found


@pytest.mark.parametrize("text", ["a ==", "f(a", "a b", "'open", "a..b", "&& a", ""])
def test_what_is_no_github_expression(text: str) -> None:
    with pytest.raises(github.ExpressionError):
        github.parse(text)


# Needs


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("not torch.cuda.is_available()", needs.Needs(gpus=1)),
        ("torch.cuda.device_count() < 2", needs.Needs(gpus=2)),
        ("torch.cuda.device_count() <= 2 or not _has_brax", needs.Needs(3, frozenset({"brax"}))),
        ("not (torch.cuda.device_count() >= 2)", needs.Needs(gpus=2)),
        ("torch.cuda.device_count() < 2 and not _has_brax", needs.Needs()),
        ("not (_has_brax and _has_sub)", needs.Needs(packages=frozenset({"brax", "dm_control"}))),
        ("not (_has_brax or _has_sub)", needs.Needs()),
        ("_has_brax", needs.Needs()),
        ("not ENABLED", needs.Needs(variables=frozenset({"RUN_IT"}))),
        ("os.environ.get('RUN_IT') != '1'", needs.Needs(variables=frozenset({"RUN_IT"}))),
        ("not os.getenv('RUN_IT', '1')", needs.Needs()),
        ("sys.platform == 'win32'", needs.Needs()),
        ("unknown()", needs.Needs()),
    ],
)
def test_needs_of_a_condition(make: Make, condition: str, found: needs.Needs) -> None:
    project = make(
        {
            "test/flags.py": """
        import importlib.util
        import os

        _has_brax = importlib.util.find_spec("brax") is not None
        ENABLED = bool(os.environ.get("RUN_IT"))
    """,
            "test/test_specs.py": f"""
        import importlib.util
        import os
        import sys

        import pytest
        import torch
        from flags import ENABLED, _has_brax

        _has_sub = importlib.util.find_spec("dm_control.suite") is not None


        @pytest.mark.skipif({condition}, reason="x")
        def test_one():
            pass
    """,
        }
    )
    (test,) = tests.collected(project, "test/test_specs.py")
    assert needs.needs(project, test) == found


def test_jobs_without_the_package_skip_the_test(make: Make) -> None:
    project = make(
        {
            "test/libs/test_brax.py": """
        import importlib.util

        import pytest

        _has_brax = importlib.util.find_spec("brax") is not None


        @pytest.mark.skipif(not _has_brax, reason="no brax")
        class TestBrax:
            def test_one(self):
                pass
    """
        }
    )
    (test,) = tests.collected(project, "test/libs/test_brax.py")
    found = {run.label: why for run, why in needs.verdicts(project, test)}
    assert {label for label, why in found.items() if not why} == {"unittests-brax"}
    assert found["tests-cpu"] == found["tests-optdeps"] == "skipped: needs brax"


# The command


@pytest.fixture
def tree(repo, make: Make):
    """A git repository with the tree of ``ci/``."""
    for path in (".github", "test", "pytest.ini"):
        repo.git("rm", "-r", "--quiet", path)
    shutil.copytree(CI, repo.path, dirs_exist_ok=True)
    for path, text in FILES.items():
        repo.write(path, text)
    repo.commit()
    return repo


def test_command_for_one_test(tree, lint) -> None:
    outcome = lint(tree, "jobs", "test/libs/test_brax.py::TestBrax::test_one")
    assert outcome.status == 0
    assert outcome.out.splitlines() == [
        "test/libs/test_brax.py::TestBrax::test_one",
        "  job               host          pull request                             push  nightly",
        "  tests-cpu (bulk)  CPU           yes                                      yes   yes",
        "  tests-olddeps     1 GPU         label ci/olddeps                         yes   yes",
        "  tests-optdeps     1 GPU         label ci/optdeps                         yes   yes",
        "  unittests-brax    1 GPU         label Environments or Environments/brax  yes   -",
        "  tests-cpu-mid     CPU           -                                        yes   yes",
        "  unittests-cpu     CPU, Windows  -                                        -     yes",
        "  not in unittests-gym: deselected by -k 'gym and not isaac'",
        "  not in unittests-isaaclab: deselected by -k isaac",
        "  not in tests-gpu: deselected by -m gpu",
        "",
        "Read from workflows, scripts and skipif conditions; a test may still skip itself for another reason.",
    ]


def test_command_for_all_files(tree, lint) -> None:
    lines = lint(tree, "jobs").out.splitlines()
    assert lines[0].split() == ["file", "tests", "pull", "request", "with", "a", "label", "push", "nightly", "never"]
    rows = {line.split()[0]: line.split()[1:] for line in lines if line.startswith("  test/")}
    assert rows["test/test_distributed.py"] == ["1", "1", "-", "1", "1", "-"]
    assert rows["test/llm/test_sglang.py"] == ["1", "-", "1", "1", "-", "-"]
    assert lines[-3].split() == ["total", "11", "8", "3", "11", "9", "-"]


def test_command_as_json_and_markdown(tree, lint) -> None:
    found = json.loads(lint(tree, "jobs", "test/test_collectors.py::test_one", "--format", "json").out)
    (part,) = found["tests"]
    assert (part["marks"], part["never"]) == (["gpu"], [])
    assert part["jobs"][0] == {
        "job": "tests-gpu (1)",
        "tests": 1,
        "variants": ["tests-gpu (13.0, 1)"],
        "workflow": ".github/workflows/test-linux.yml",
        "line": 45,
        "script": ".github/unittest/linux/run_all.sh",
        "script_line": 56,
        "runner": "linux.g5.4xlarge.nvidia.gpu",
        "gpus": 1,
        "command": "pytest test/test_collectors.py test/services -m gpu",
        "events": {
            event: Gate(event)._asdict() | {key: [] for key in ("labels", "without", "paths")} for event in EVERY
        },
    }
    table = lint(tree, "jobs", "test/test_collectors.py::test_one", "--format", "markdown").out
    assert "| tests-gpu (1) | 1 GPU | yes | yes | yes |" in table.splitlines()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("test/nope.py", "test/nope.py: no such test, file or folder in working tree"),
        ("test/libs/test_brax.py::TestBrex", "test/libs/test_brax.py has no test TestBrex; did you mean TestBrax?"),
    ],
)
def test_command_with_a_wrong_name(tree, lint, given: str, message: str) -> None:
    outcome = lint(tree, "jobs", given)
    assert (outcome.status, outcome.out, outcome.err) == (2, "", f"torchrl-lint: {message}\n")


def test_command_says_why_no_job_takes_a_file(tree, lint) -> None:
    tree.write("test/extra/helpers.py", ONE)
    assert lint(tree, "jobs", "test/extra/helpers.py").out.splitlines()[:3] == [
        "test/extra/helpers.py",
        "  no job collects any of its tests",
        "  never test_one: no job takes the file: its name is not a test file's",
    ]
