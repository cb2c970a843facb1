"""The pipeline as a person runs it: real repositories, the real torchrl."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from torchrl_preflight.actions.github.facts import _repository
from torchrl_preflight.hooks.git import Git

from .github.fake import Fake

BASE = Path(__file__).parents[1] / "hooks" / "rules" / "_base"
BAD = (
    "from __future__ import annotations\n\nimport pytest\nimport torch\n\n\n"
    '@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")\n'
    "def test_planted():\n    assert True\n\n\n"
    'if __name__ == "__main__":\n    pytest.main([__file__])\n'
)

TAGS = (
    "# Usage:\n#  - Title must start with a [Label] prefix\n#  - [Feature] \u2192 Feature\n"
    "name: PR Label\non: [pull_request]\njobs: {}\n"
)


def preflight(where: Path, *arguments: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from torchrl_preflight.actions.cli import main; sys.exit(main())"
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "GITHUB_", "PRE_COMMIT"))}
    return subprocess.run(
        [sys.executable, "-P" if sys.version_info >= (3, 11) else "-B", "-c", code, *arguments],
        cwd=where,
        capture_output=True,
        text=True,
        env={**kept, "XDG_CACHE_HOME": str(home), **environment},
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small checkout on a branch, with its remote's main one commit behind; torchrl itself is the installed one."""
    folder = tmp_path / "rl"
    for path in BASE.rglob("*"):
        if path.is_file():
            (folder / path.relative_to(BASE)).parent.mkdir(parents=True, exist_ok=True)
            (folder / path.relative_to(BASE)).write_bytes(path.read_bytes())
    for command in (
        "init --quiet --initial-branch=main",
        "config user.name a",
        "config user.email a@example.org",
        "add --all",
        "commit --quiet -m base",
        "update-ref refs/remotes/origin/main HEAD",
        "remote add origin nowhere",
        "switch --quiet -c topic",
    ):
        subprocess.run(["git", *command.split()], cwd=folder, check=True)
    return folder


def test_elsewhere_the_installed_torchrl_is_judged(tmp_path: Path) -> None:
    done = preflight(tmp_path, home=tmp_path / "home")
    assert (done.returncode, done.stderr) == (0, "")
    lint, smoke = done.stdout.rstrip().splitlines()[-2:]
    assert lint.startswith("lint   unverified  ")
    assert smoke.startswith("smoke  passed      ")
    assert "Judged: the installed torchrl in " in done.stdout
    assert "nothing to judge for gpu-marker-missing, gpu-marker-overbroad" in done.stdout
    assert "this tree has no test" in done.stdout


def test_a_checkout_that_git_refuses_is_not_taken_for_none(checkout: Path, tmp_path: Path) -> None:
    untrusted = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = preflight(checkout, home=tmp_path / "home", **untrusted)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("torchrl-preflight: .: git does not trust this repository's owner; run: git config ")


def test_a_branch_with_a_new_error_fails(checkout: Path, tmp_path: Path) -> None:
    (checkout / "test" / "test_planted.py").write_text(BAD)
    # No torchrl beside a tree that is only a sketch of one: lint decides alone.
    done = preflight(checkout, home=tmp_path / "home", PYTHONSAFEPATH="1")
    assert done.returncode == 1
    assert "test/test_planted.py:8: error: gpu-marker-missing: test_planted" in done.stdout
    assert "compared with" in done.stdout
    assert "(merge base with origin/main)" in done.stdout
    assert summary(done)["lint"].startswith("failed: 1 new error")


def summary(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """Stage -> status and summary, in the order of the report's last lines."""
    rows = re.findall(
        r"^([a-z]\S*(?: \d+)?) +(passed|failed|unverified|blocked|not needed) +(.*)$", done.stdout, re.MULTILINE
    )
    return {name: f"{status}: {words}" for name, status, words in rows if not name.startswith(("passed", "unverified"))}


def test_the_stages_are_the_workflow_s_and_in_its_order(checkout: Path, tmp_path: Path) -> None:
    (checkout / "README.md").write_text("words\n")
    done = preflight(checkout, home=tmp_path / "home", PYTHONSAFEPATH="1")
    assert done.returncode == 0, done.stderr
    assert list(summary(done).items()) == [
        ("lint", "passed: no findings in 1 file judged"),
        ("labels", "passed: none needed"),
        ("plan", "passed: nothing to run"),
        ("smoke", "not needed: nothing to run for this change"),
    ]
    heads = re.findall(r"^== (.*) ==$", done.stdout, re.MULTILINE)
    assert heads == ["lint", "labels", "plan", "smoke"]


def test_what_the_plan_chooses_is_run_and_nothing_else(checkout: Path, tmp_path: Path) -> None:
    (checkout / "torchrl" / "services").mkdir()
    (checkout / "torchrl" / "services" / "base.py").write_text("from __future__ import annotations\n\nLIMIT = 1\n")
    done = preflight(checkout, home=tmp_path / "home", PYTHONSAFEPATH="1")
    assert done.returncode == 0, done.stdout
    stages = summary(done)
    assert list(stages) == ["lint", "labels", "plan", "smoke-cpu"]
    assert stages["plan"] == "passed: 1 area"
    assert re.fullmatch(r"passed: 6 passed in \d+\.\d s", stages["smoke-cpu"])
    assert "smoke checks: torchrl-smoke --area services\n" in done.stdout


@pytest.fixture
def online(checkout: Path, tmp_path: Path) -> Iterator[Callable[..., subprocess.CompletedProcess[str]]]:
    """``online(*arguments)``: the pipeline in the checkout, with a GitHub that has pull request 7 for its commit."""
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=checkout, capture_output=True, text=True, check=True).stdout
    (checkout / "README.md").write_text("words\n")
    with Fake() as fake:
        pull = fake.open_pull(7, head.strip())
        pull["base"] |= {"sha": head.strip(), "ref": "main"}
        pull["user"] |= {"login": "someone", "type": "User"}
        fake.set_label(7, "Data", "someone")

        def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
            told = {
                "GITHUB_API_URL": fake.url,
                "GITHUB_TOKEN": "token",
                "GITHUB_REPOSITORY": "pytorch/rl",
                **environment,
            }
            home = tmp_path / "home"
            return preflight(checkout, *arguments, home=home, PYTHONSAFEPATH="1", GH_TOKEN="", **told)

        run.fake = fake
        yield run


def test_facts_of_a_pull_request(online) -> None:
    done = online("--pr", "7")
    assert (done.returncode, done.stderr) == (0, "")
    assert next(iter(summary(done).items())) == ("pull 7", "passed: [Feature] A title, by someone, onto main")
    assert "== pull 7 ==\n\n[Feature] A title, by someone, onto main\nlabels: Data\n" in done.stdout
    assert [(call.verb, call.path) for call in online.fake.calls] == [("GET", "/repos/pytorch/rl/pulls/7")]


def test_the_title_is_judged(online, checkout: Path) -> None:
    (checkout / ".github" / "workflows").mkdir(parents=True, exist_ok=True)
    (checkout / ".github" / "workflows" / "auto-tag.yml").write_text(TAGS, encoding="utf-8")
    online.fake.pulls[7]["title"] = "No tag at all"
    assert "pr-title-tag" in online("--pr", "7").stdout
    assert "pr-title-tag" not in online().stdout


def test_a_checkout_of_another_commit_is_said(online) -> None:
    online.fake.pulls[7]["head"]["sha"] = "d" * 40
    online.fake.pulls[7]["base"]["sha"] = "e" * 40
    done = online("--pr", "7")
    assert re.search(
        r"^note: judged is this checkout, \w{12}; the pull request is at dddddddddddd$", done.stdout, re.MULTILINE
    )
    assert "note: its base eeeeeeeeeeee is not in this clone, so another was chosen: git fetch --all\n" in done.stdout
    assert "merge base with origin/main" in done.stdout


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"GITHUB_TOKEN": ""}, "no token: set GITHUB_TOKEN or GH_TOKEN to one that may read pull requests"),
        (
            {"GITHUB_REPOSITORY": ""},
            "neither the remote upstream nor origin is on github.com; set GITHUB_REPOSITORY to owner/name",
        ),
        (
            {"GITHUB_TOKEN": "expired"},
            "read pull request 7 of pytorch/rl: GitHub answered 401 (Bad credentials)",
        ),
    ],
    ids=["no token", "no repository", "bad token"],
)
def test_without_github_the_rest_goes_on(online, environment: dict[str, str], said: str) -> None:
    done = online("--pr", "7", **environment)
    assert done.returncode == 0
    stages = summary(done)
    assert stages.pop("pull 7") == f"unverified: {said}"
    assert list(stages) == ["lint", "labels", "plan", "smoke"]


def test_a_pull_request_that_is_not_there(online) -> None:
    done = online("--pr", "8")
    said = "torchrl-preflight: pytorch/rl has no pull request 8 that this token may read\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://github.com/pytorch/rl.git", "pytorch/rl"),
        ("https://token@github.com/pytorch/rl", "pytorch/rl"),
        ("git@github.com:pytorch/rl.git", "pytorch/rl"),
        ("ssh://git@github.com/pytorch/rl", "pytorch/rl"),
        ("https://gitlab.com/pytorch/rl", ""),
        ("https://github.com.evil.example/pytorch/rl", ""),
        ("/srv/github.com/pytorch/rl", ""),
    ],
)
def test_the_repository_is_the_remote_s(checkout: Path, address: str, name: str) -> None:
    subprocess.run(["git", "remote", "set-url", "origin", address], cwd=checkout, check=True)
    git = Git(str(checkout))
    assert _repository(git) == name
    subprocess.run(["git", "remote", "add", "upstream", "git@github.com:up/stream.git"], cwd=checkout, check=True)
    assert _repository(git) == "up/stream"
    git.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--base", "nosuch"),
            "torchrl-preflight: --base nosuch: no such commit or tree here; fetch it (git fetch origin nosuch)\n",
        ),
        (
            ("--pr", "x"),
            "torchrl-preflight: argument --pr: 'x' is no number of a pull request (see torchrl-preflight --help)\n",
        ),
        (("--bse", "x"), "torchrl-preflight: unrecognized arguments: --bse x (see torchrl-preflight --help)\n"),
    ],
)
def test_wrong_usage_is_one_line(arguments: tuple[str, ...], said: str, checkout: Path, tmp_path: Path) -> None:
    done = preflight(checkout, *arguments, home=tmp_path / "home")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
