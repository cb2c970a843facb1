"""Everything that a stranger chooses, at its worst: none of it runs, reaches a shell, or speaks to the runner.

Each attempt would leave a file behind, or an annotation or output that nobody here wrote.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from torchrl_preflight.hooks.rules._find import names

from . import act, events
from .conftest import CALLER, CPU, CUDA_TEST, plan, smoke

ATTEMPTS = (
    "$(touch $CANARY)",
    "`touch $CANARY`",
    '"; touch $CANARY; "',
    "'; touch $CANARY; '",
    "\ntouch $CANARY\n",
    "${{ github.token }}",
    "\n::error::forged\n",
    "\n::set-output name=olddeps::true\n",
    "\n::add-mask::success\n",
    "%0A::error::forged",
    "##[error]forged",
    "<!-- torchrl-preflight -->\n@everyone [x](javascript:alert(1)) <img src=x onerror=alert(1)> ```\n# forged",
)
HOSTILE = " ".join(ATTEMPTS)
IMPORTED = "import os, pathlib\npathlib.Path(os.environ['CANARY']).touch()\n"


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    return tmp_path / "canary"


def unharmed(ran: act.Ran, canary: Path) -> None:
    """Nothing ran, every annotation is one of ours, and no output was set but by us."""
    assert not canary.exists()
    ours = ("torchrl-preflight", "torchrl-lint", *(f"{rule}: " for rule in names()))
    assert [item for item in ran.annotations if not item[1].get("title", "").startswith(ours)] == []
    assert not [line for line in ran.log.splitlines() if "::set-output:: olddeps=true" in line]


def test_the_canary_sings(checkout, preflight, canary: Path) -> None:
    """A workflow that puts a title into a script does run it; one that hands it over by env does not."""
    step = {
        "interpolated": "      - run: 'echo ${{ github.event.pull_request.title }}'\n",
        "handed over": '      - env:\n          TITLE: ${{ github.event.pull_request.title }}\n        run: echo "$TITLE"\n',
    }
    for how in ("handed over", "interpolated"):
        own = f"on: pull_request\njobs:\n  own:\n    runs-on: ubuntu-latest\n    steps:\n{step[how]}"
        checkout.commit({".github/workflows/preflight.yml": own})
        preflight("pull_request", checkout.merged({}, branch=how[:4], title="$(touch $CANARY)"), CANARY=str(canary))
        assert canary.exists() == (how == "interpolated")


def test_words_of_a_pull_request(checkout, preflight, canary: Path) -> None:
    """Title, description, author, label, branch of the head and of the base."""
    branch = "$(touch${IFS}$CANARY);`touch${IFS}$CANARY`&&'x'\"y\""
    payload = checkout.merged(
        {"torchrl/new.py": '"""Nothing."""\n'},
        branch=branch,
        into=branch,
        title=HOSTILE,
        body=HOSTILE,
        author="$(touch $CANARY)[bot]",
        labels=(HOSTILE,),
    )
    ran = preflight("pull_request", payload, plan(CPU), CANARY=str(canary))
    assert (ran.status, ran.result("gate")) == (0, "success"), ran.log
    unharmed(ran, canary)


def test_messages_and_branches_of_a_push(checkout, preflight, canary: Path) -> None:
    before = checkout.git("rev-parse", "HEAD")
    after = checkout.commit({"torchrl/new.py": '"""Nothing."""\n'}, HOSTILE)
    payload = events.push(before, after, branch="$(touch${IFS}$CANARY)", message=HOSTILE)
    ran = preflight("push", payload, plan(CPU), CANARY=str(canary))
    assert (ran.status, ran.result("gate")) == (0, "success"), ran.log
    unharmed(ran, canary)


def test_names_of_files(checkout, preflight, canary: Path) -> None:
    """They come back in findings, annotations, summaries and outputs."""
    files = {f"test/test_{attempt.replace('/', '_')}.py": CUDA_TEST for attempt in ATTEMPTS}
    files |= {"-rf.py": CUDA_TEST, "test/--help.py": CUDA_TEST, "test/test_\u202e\u00fc.py": CUDA_TEST}
    planned = plan(CPU, tests=[{"path": path, "reason": "changed", "minutes": 1.0} for path in files])
    ran = preflight("pull_request", checkout.merged(files), planned, CANARY=str(canary))
    assert (ran.result("lint"), ran.result("plan"), ran.result("gate")) == ("failure", "success", "failure"), ran.log
    unharmed(ran, canary)
    found = {
        finding["path"]
        for finding in json.loads((ran.artifacts["preflight-lint"] / "lint.json").read_text())["findings"]
    }
    assert {path for path in files if path.startswith("test/test_")} <= found
    (line,) = {line.partition("tests=")[2] for line in ran.log.splitlines() if "::set-output:: tests=" in line}
    assert json.loads(line) == list(files)


def test_values_of_the_configuration(checkout, preflight, canary: Path) -> None:
    """The change's own pyproject.toml is read; a wrong one is one annotation, whatever it holds."""
    keys = "\n".join(f"{json.dumps(attempt)} = {json.dumps(attempt)}" for attempt in ATTEMPTS)
    table = f"\n[tool.torchrl-preflight]\n{keys}\n"
    text = (checkout.folder / "pyproject.toml").read_text() + table
    ran = preflight("pull_request", checkout.merged({"pyproject.toml": text}), plan(CPU), CANARY=str(canary))
    assert (ran.result("lint"), ran.result("gate")) == ("failure", "failure"), ran.log
    unharmed(ran, canary)


def test_values_that_the_configuration_may_have(checkout, preflight, canary: Path) -> None:
    """Folders, markers and reasons that are read and shown, but never run."""
    reason = json.dumps(HOSTILE)
    table = (
        f'\n[tool.torchrl-preflight]\nworkflows = "$(touch $CANARY)"\ntests = {json.dumps("; touch $CANARY;")}\n'
        f'[[tool.torchrl-preflight.waivers]]\nrule = "print-in-library"\nsymbol = {reason}\nreason = {reason}\n'
    )
    text = (checkout.folder / "pyproject.toml").read_text() + table
    ran = preflight("pull_request", checkout.merged({"pyproject.toml": text}), plan(CPU), CANARY=str(canary))
    assert ran.result("plan") == "success", ran.log
    unharmed(ran, canary)


def test_code_at_the_top_of_the_checkout_is_not_imported(checkout, preflight, canary: Path) -> None:
    """Lint and plan run none of the change's code: not as a module that shadows one, as a hook of Python's or as a program."""
    modules = (
        "torchrl_preflight",
        "pip",
        "json",
        "yaml",
        "libcst",
        "sitecustomize",
        "usercustomize",
        "_distutils_hack",
    )
    files = {f"{name}/__init__.py": IMPORTED for name in modules} | {
        f"{name}/__main__.py": IMPORTED for name in modules
    }
    files |= {"secrets.py": IMPORTED, "conftest.py": IMPORTED, "setup.py": IMPORTED, "torchrl/_setup.py": IMPORTED}
    program = '#!/bin/sh\ntouch "$CANARY"\n'
    files |= {name: program for name in ("git", "python", "torchrl-lint", "torchrl-smoke", "bin/git")}
    files |= {"pip.conf": "[global]\nindex-url = https://localhost:1/\n", ".python-version": "$(touch $CANARY)\n"}
    ran = preflight("pull_request", checkout.merged(files), plan(CPU), CANARY=str(canary))
    assert ran.result("plan") == "success", ran.log
    assert not canary.exists()
    assert {call.split(" --quiet ")[0] for call in ran.calls if call.startswith("pip")} == {
        "pip install --disable-pip-version-check"
    }


def test_results_of_smoke_checks(checkout, preflight, canary: Path) -> None:
    """The smoke jobs run the change's code, which may write there what it likes."""
    found = smoke("failed")
    check = found["checks"][0]
    found["checks"] = [{**check, "id": f"envs/{attempt}", "reason": attempt, "hint": attempt} for attempt in ATTEMPTS]
    payload = checkout.merged({"torchrl/new.py": '"""Nothing."""\n'})
    ran = preflight("pull_request", payload, plan(CPU), smoked=(found, 1), CANARY=str(canary))
    assert (ran.result("smoke-cpu"), ran.result("gate")) == ("failure", "failure"), ran.log
    unharmed(ran, canary)


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_names_and_lists_of_a_plan_do_not_begin_another_output(attempt: str, tmp_path: Path, monkeypatch) -> None:
    from torchrl_preflight.actions import workflow

    file = tmp_path / "output"
    file.touch()
    monkeypatch.setenv("GITHUB_OUTPUT", str(file))
    workflow.output("tests", attempt)
    first, *middle, last = file.read_text().removesuffix("\n").split("\n")
    assert first == f"tests<<{last}"
    assert "\n".join(middle) == attempt
    assert last not in attempt


def test_inputs_of_the_caller_are_no_script_either(checkout, preflight, canary: Path) -> None:
    values = {"fail-on": HOSTILE, "paths": HOSTILE, "torch": HOSTILE, "torch-index": HOSTILE}
    given = "    with:\n" + "".join(f"      {name}: {json.dumps(value)}\n" for name, value in values.items())
    checkout.commit({".github/workflows/preflight.yml": CALLER + given.replace("${{", "$ {{")})
    payload = checkout.merged({"torchrl/new.py": '"""Nothing."""\n'})
    ran = preflight("pull_request", payload, plan(CPU), CANARY=str(canary))
    assert (ran.result("lint"), ran.result("smoke-cpu"), ran.result("gate")) == ("failure", "failure", "failure")
    unharmed(ran, canary)


def test_no_script_of_ours_holds_an_expression() -> None:
    """The rule behind all of the above: what a shell or Python is given is fixed text."""
    import yaml

    for path in (*act.ROOT.glob(".github/workflows/*.yml"), *act.ROOT.glob("actions/*/action.yml")):
        document = yaml.safe_load(path.read_text())
        jobs = [document["runs"]] if "runs" in document else document["jobs"].values()
        for step in (step for job in jobs for step in job.get("steps", ())):
            assert "${{" not in step.get("run", ""), f"{path}: {step['name']}"
            assert shlex.split(step.get("shell", "bash")) == ["bash"], f"{path}: {step['name']}"
