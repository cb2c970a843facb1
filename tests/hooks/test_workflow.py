"""GitHub workflows as facts."""

from __future__ import annotations

import marshal
from textwrap import dedent

import pytest
from torchrl_preflight.hooks.facts.records import Failure, plain, revive
from torchrl_preflight.hooks.facts.records_ci import Trigger, Workflow
from torchrl_preflight.hooks.facts.workflow import workflow

TEXT = dedent("""\
    name: Unit-tests
    on:
      pull_request:
        types: [opened, labeled]
      push:
        branches:
          - main
          - release/*
        paths: ["torchrl/**"]
      workflow_call:
    env:
      CHANNEL: "nightly"
    jobs:
      tests:
        name: Test ${{ matrix.shard }}
        if: ${{ github.event_name == 'push' }}
        needs: [build, lint]
        strategy:
          matrix:
            python_version: [3.10, "3.14"]
            shard: [bulk]
            exclude:
              - python_version: "3.14"
                shard: bulk
            include:
              - shard: extra
        uses: pytorch/test-infra/.github/workflows/linux_job_v2.yml@main
        with:
          runner: linux.g5.4xlarge.nvidia.gpu
          timeout: 120
          script: |
            export SHARD=${{ matrix.shard }}

            bash run.sh "${{ github.ref }}"
      steps:
        runs-on: [self-hosted, linux]
        defaults:
          run:
            working-directory: sub
        env: {A: 1}
        steps:
          - uses: actions/checkout@v4
          - name: Run
            if: always()
            env: {B: "2"}
            run: pytest test
          - run: Write-Host pytest
            shell: pwsh
""").encode()


def test_triggers_and_environment() -> None:
    found = workflow(TEXT)
    assert (found.failure, found.name, found.env) == (None, "Unit-tests", (("CHANNEL", "nightly"),))
    assert found.triggers == (
        Trigger("pull_request", 3, (), (), (), ("opened", "labeled")),
        Trigger("push", 5, ("main", "release/*"), (), ("torchrl/**",), ()),
        Trigger("workflow_call", 10, (), (), (), ()),
    )


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("on: push\njobs: {}", ["push"]),
        ("on: [push, pull_request]\njobs: {}", ["push", "pull_request"]),
        ("jobs: {}", []),
    ],
)
def test_short_forms_of_on(text: str, events: list[str]) -> None:
    assert [trigger.event for trigger in workflow(text.encode()).triggers] == events


def test_a_job_that_another_workflow_runs() -> None:
    job = workflow(TEXT).jobs[0]
    assert (job.name, job.line, job.title) == ("tests", 14, "Test ${{ matrix.shard }}")
    assert job.condition == "${{ github.event_name == 'push' }}"
    assert (job.runner, job.needs) == ("linux.g5.4xlarge.nvidia.gpu", ("build", "lint"))
    # 3.10 keeps its nought, as it is written.
    assert job.matrix == (("python_version", ("3.10", "3.14")), ("shard", ("bulk",)))
    assert job.exclude == ((("python_version", "3.14"), ("shard", "bulk")),)
    assert (job.include, job.matrix_known) == (((("shard", "extra"),),), True)
    assert job.inputs == (("runner", "linux.g5.4xlarge.nvidia.gpu"), ("timeout", "120"))
    (step,) = job.steps
    assert step.expressions == ("matrix.shard", "github.ref")
    assert TEXT.decode().splitlines()[step.first - 1].strip() == "export SHARD=${{ matrix.shard }}"
    assert step.script.body == (
        ("set", 1, "export", (("SHARD", "=", (("$", "GHEXPR0X", "", None, False),)),)),
        ("cmd", 3, (), ("bash", "run.sh", (("$", "GHEXPR1X", "", None, True),)), ()),
    )


def test_a_job_with_steps() -> None:
    job = workflow(TEXT).jobs[1]
    assert (job.runner, job.env, job.matrix) == ("self-hosted, linux", (("A", "1"),), ())
    checkout, run, windows = job.steps
    assert (checkout.uses, checkout.script) == ("actions/checkout@v4", None)
    assert (run.name, run.condition, run.env, run.folder) == ("Run", "always()", (("B", "2"),), "sub")
    lines = TEXT.decode().splitlines()
    assert (lines[run.line - 1].strip(), lines[run.first - 1].strip()) == ("- name: Run", "run: pytest test")
    assert run.script.body == (("cmd", 1, (), ("pytest", "test"), ()),)
    # PowerShell is not read.
    assert (windows.shell, windows.script) == ("pwsh", None)


def test_a_matrix_that_is_computed_is_not_known() -> None:
    job = workflow(b"on: push\njobs:\n  a:\n    strategy:\n      matrix: ${{ fromJSON(needs.x.outputs.m) }}\n").jobs[0]
    assert (job.matrix, job.matrix_known) == ((), False)


@pytest.mark.parametrize(
    ("data", "failure"),
    [
        (b"", Failure("syntax", "not a mapping", 1, 1)),
        (b"- 1\n", Failure("syntax", "not a mapping", 1, 1)),
        (b"a: 1\nb: [\n", Failure("syntax", "did not find expected node content", 3, 1)),
    ],
)
def test_what_is_no_workflow_fails_with_its_line(data: bytes, failure: Failure) -> None:
    assert workflow(data)[:2] == (failure, "")


@pytest.mark.parametrize(
    "data",
    [
        b"\0",
        b"[" * 10_000,
        b"{" * 10_000,
        "é: [".encode("latin-1"),
        b"a: &x [*x]\njobs: *x\n",
        b"jobs:\n  a: 1\n  b: []\n",
        b"jobs: {a: {steps: [{run: 'x'}, 3, {run: [1]}], with: 3, strategy: [], matrix: 4}}",
        b"on: {push: 3}\njobs: [a]\n",
        b"? [a]\n: b\n",
    ],
)
def test_bad_input_gives_facts(data: bytes) -> None:
    assert isinstance(workflow(data), Workflow)


def test_facts_survive_the_store() -> None:
    facts = workflow(TEXT)
    assert revive(Workflow, marshal.loads(marshal.dumps(plain(facts)))) == facts
