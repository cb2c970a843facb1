"""Who owns a file, a name, a word."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from torchrl_preflight.checks.routes import subjects

from .conftest import Outcome
from .test_plan import Repo

Smoke = Callable[..., Outcome]

# What git finds where a container's user is not the owner of the checkout.
UNTRUSTED = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

# What people say (the words that documentation and issues use), and the area that must answer.
SAID = {
    "envs": "EnvBase PendulumEnv GymEnv check_env_specs step_mdp SerialEnv ParallelEnv Gym MuJoCo IsaacLab VMAS",
    "transforms": "TransformedEnv Compose transforms",
    "specs": "specs Composite",
    "collectors": "Collector rollout evaluator frames_per_batch Ray EnvCreator",
    "buffers": "storages samplers prioritized HER memmap Ray",
    "modules": "Actor ProbabilisticActor ValueOperator QValueActor TensorDictModule GRU LSTM",
    "distributions": "distributions TanhNormal",
    "objectives": "PPO SAC DQN DDPG TD3 IQL CQL MAPPO set_keys",
    "values": "GAE",
    "trainers": "trainers SOTA",
    "configs": "Hydra Config",
    "llm": "RLHF GRPO SFT ChatEnv LLMCollector vLLM SGLang",
    "vla": "VLA",
    "services": "service",
    "recording": "rlrender video",
    "checkpoint": "checkpoints",
}


@pytest.mark.parametrize(("area", "query"), [(area, query) for area, words in SAID.items() for query in words.split()])
def test_a_word_leads_to_its_area(smoke: Smoke, repo: Repo, area: str, query: str) -> None:
    """Without names of a tree to look up: what the map knows alone."""
    done = smoke("areas", query, "--repo", str(repo.folder), "--format", "json")
    assert done.status == 0, done.err
    assert area in done.json["answers"][0]["areas"]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "rl"
    folder.mkdir()
    return Repo(folder)


def test_without_a_question_every_area_answers(smoke: Smoke, repo: Repo) -> None:
    done = smoke("areas", "--repo", str(repo.folder), "--format", "json")
    assert [it["query"] for it in done.json["answers"]] == [it.area for it in subjects()]


def test_a_file_has_its_tests(smoke: Smoke, repo: Repo) -> None:
    (it,) = smoke("areas", "torchrl/objectives/dqn.py", "--repo", str(repo.folder), "--format", "json").json["answers"]
    assert (it["kind"], it["areas"]) == ("path", ["objectives"])
    assert "test/test_trainer.py" in it["tests"]
    assert it["subjects"][0]["page"] == "docs/source/reference/objectives.rst"


def test_a_folder_and_a_test_have_areas(smoke: Smoke, repo: Repo) -> None:
    for query in ("torchrl/objectives", "./torchrl/objectives/", "test/objectives/test_dqn.py"):
        (it,) = smoke("areas", query, "--repo", str(repo.folder), "--format", "json").json["answers"]
        assert (it["kind"], "objectives" in it["areas"]) == ("path", True)


@pytest.mark.parametrize("query", ["DQNLoss", "torchrl.objectives.DQNLoss", "DQNLoss.forward"])
def test_a_name_leads_to_the_file_that_defines_it(smoke: Smoke, repo: Repo, query: str) -> None:
    (it,) = smoke("areas", query, "--repo", str(repo.folder), "--format", "json").json["answers"]
    assert (it["kind"], it["found"]) == ("symbol", "torchrl.objectives.DQNLoss in torchrl/objectives/dqn.py")
    assert it["areas"] == ["objectives"]


def test_an_optional_package_is_answered_with_its_extra(smoke: Smoke, repo: Repo) -> None:
    (it,) = smoke("areas", "vLLM", "--repo", str(repo.folder), "--format", "json").json["answers"]
    assert it["areas"] == ["llm"]
    assert it["backends"][0]["name"] == "vllm"
    assert it["backends"][0]["install"] == "pip install 'torchrl[llm-vllm]'"


def test_what_is_not_known_is_one_line_with_a_suggestion(smoke: Smoke, repo: Repo) -> None:
    done = smoke("areas", "samplr", "--repo", str(repo.folder))
    assert (done.status, done.out) == (2, "")
    assert done.err == "torchrl-smoke: nothing is known of 'samplr'; did you mean sampler?\n"


@pytest.mark.parametrize("query", ["", ".", "/", "*", "(", "\n", "\u00e9"])
def test_a_question_without_a_word_has_no_answer(smoke: Smoke, repo: Repo, query: str) -> None:
    done = smoke("areas", "--repo", str(repo.folder), "--", query)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    "query", ["dqn.py", "objectives/dqn.py", "torchrl.objectives.dqn", "{root}/torchrl/objectives/dqn.py"]
)
def test_a_file_is_found_by_what_people_call_it(smoke: Smoke, repo: Repo, query: str) -> None:
    asked = query.format(root=repo.folder)
    (it,) = smoke("areas", asked, "--repo", str(repo.folder), "--format", "json").json["answers"]
    assert (it["kind"], it["found"]) == ("path", "torchrl/objectives/dqn.py")


def test_a_package_is_its_folder(smoke: Smoke, repo: Repo) -> None:
    (it,) = smoke("areas", "torchrl.objectives", "--repo", str(repo.folder), "--format", "json").json["answers"]
    assert (it["kind"], it["found"]) == ("path", "torchrl/objectives")


def test_a_file_that_is_not_there_is_no_word(smoke: Smoke, repo: Repo) -> None:
    done = smoke("areas", "torchrl/modules/ppo.py", "--repo", str(repo.folder))
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "torchrl-smoke: nothing is known of 'torchrl/modules/ppo.py'; did you mean torchrl/objectives/ppo.py?\n"
    )
    many = smoke("areas", "__init__.py", "--repo", str(repo.folder))
    assert many.err.endswith(
        "did you mean torchrl/__init__.py or torchrl/envs/__init__.py or torchrl/objectives/__init__.py?\n"
    )


def test_a_label_is_answered_with_the_files_that_it_is_for(smoke: Smoke, repo: Repo) -> None:
    globs = "- changed-files:\n  - any-glob-to-any-file: {}\n"
    files = f"Losses:\n{globs.format('torchrl/objectives/**')}CI:\n{globs.format('.github/**')}"
    repo.commit({".github/labeler.yml": files})
    loss, ci = smoke("areas", "losses", "CI", "--repo", str(repo.folder), "--format", "json").json["answers"]
    assert (loss["kind"], loss["found"]) == ("label", "Losses of 3 files")
    assert (loss["areas"], loss["labels"]) == (["objectives", "values", "configs"], ["Losses"])
    assert "test/objectives/test_dqn.py" in loss["tests"]
    assert (ci["kind"], ci["areas"], ci["tests"]) == ("label", [], [])


@pytest.mark.parametrize(("query", "area"), [("ReplayBuffers", "buffers"), ("SyncDataCollector", "collectors")])
def test_a_name_that_is_no_longer_there_is_taken_by_its_words(smoke: Smoke, repo: Repo, query: str, area: str) -> None:
    (it,) = smoke("areas", query, "--repo", str(repo.folder), "--format", "json").json["answers"]
    assert (it["kind"], it["areas"]) == ("word", [area])


def test_no_other_tree_answers_for_a_checkout_that_git_refuses(
    smoke: Smoke, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.folder)
    for name, value in UNTRUSTED.items():
        monkeypatch.setenv(name, value)
    done = smoke("areas", "GAE")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("torchrl-smoke: .: git does not trust this repository's owner; run: git config ")


def test_away_from_a_checkout_the_installed_torchrl_answers(
    smoke: Smoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (it,) = smoke("areas", "ParallelEnv", "--format", "json").json["answers"]
    assert (it["kind"], it["areas"], it["jobs"]) == ("symbol", ["envs", "specs"], [])
    text = smoke("areas", "ParallelEnv").out
    assert text.startswith("ParallelEnv: symbol torchrl.envs.ParallelEnv in torchrl/envs/batched_envs.py\n")
    assert "- area: envs (environments)" in smoke("areas", "ParallelEnv", "--format", "markdown").out
