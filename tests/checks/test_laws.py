"""Faults planted in a copy of the real torchrl, and the laws that must find them; the tables against the checks there are."""

from __future__ import annotations

import fnmatch
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from torchrl_preflight.checks import areas
from torchrl_preflight.checks.table import load

from .conftest import Outcome

Smoke = Callable[..., Outcome]

# a file of torchrl, code that is added to it, and the checks that must fail then
FAULTS = {
    "modules/distributions/continuous.py": (
        "_old = IndependentNormal.log_prob\nIndependentNormal.log_prob = lambda self, value: _old(self, value).sum(-1)\n",
        {"distributions/shapes/IndependentNormal-plain"},
    ),
    "modules/models/models.py": (
        "_plain = MLP.forward\nMLP.forward = lambda self, *values: _plain(self, *(value.mul_(2) for value in values))\n",
        {"modules/inputs_stay/MLP"},
    ),
    "objectives/ddpg.py": (
        "_forward = DDPGLoss.forward\n"
        "def forward(self, tensordict):\n    output = _forward(self, tensordict)\n"
        "    tensordict['next', 'reward'] += 1\n    return output.exclude('target_value')\n"
        "DDPGLoss.forward = forward\n",
        {"objectives/in_keys/DDPGLoss", "objectives/out_keys/DDPGLoss"},
    ),
    "objectives/value/advantages.py": (
        "_estimate = TD1Estimator.value_estimate\n"
        "TD1Estimator.value_estimate = lambda self, *a, **k: _estimate(self, *a, **k) * 1.1\n",
        {"values/definition/TD1Estimator"},
    ),
    "modules/models/llm.py": (
        "_loss = GPT2RewardModel._compute_reward_loss\n"
        "GPT2RewardModel._compute_reward_loss = staticmethod(lambda one, two, pad: _loss(one, two, pad) * len(one.rewards))\n",
        {"llm/reward_loss", "llm/reward_loss_beside_equal_rows"},
    ),
    "data/vla/tokenizers.py": (
        "_decode = UniformActionTokenizer.decode\n"
        "UniformActionTokenizer.decode = lambda self, tokens: _decode(self, tokens) + 1\n",
        {"vla/actions_come_back/UniformActionTokenizer", "vla/tokens_come_back/UniformActionTokenizer"},
    ),
    "checkpoint/_checkpoint.py": (
        "Checkpoint.is_checkpoint = classmethod(lambda cls, path: False)\n",
        {"checkpoint/a_failure_keeps_what_was_there/directory", "checkpoint/a_failure_keeps_what_was_there/archive"},
    ),
    "trainers/trainers.py": (
        "SelectKeys.__call__ = lambda self, batch: batch\n",
        {"trainers/selected_keys"},
    ),
    "envs/transforms/_reward.py": (
        "_plain = LineariseRewards._apply_transform\n"
        "LineariseRewards._apply_transform = lambda self, reward: _plain(self, reward).squeeze(-1)\n",
        {"transforms/recorded/LineariseRewards/objectives", "transforms/recorded/LineariseRewards-weights/objectives"},
    ),
    "envs/transforms/_clip.py": (
        "ClipTransform.forward = lambda self, tensordict: tensordict\n",
        {"transforms/recorded/ClipTransform/plain"},
    ),
    "trainers/algorithms/configs/transforms.py": (
        "InitTrackerConfig.__dataclass_fields__['_target_'].default = 'torchrl.envs.transforms.NoTracker'\n",
        {"configs/fields/transform/init_tracker", "configs/default/transform/init_tracker"},
    ),
}


@pytest.fixture(scope="module")
def mine() -> list[str]:
    """The areas that the faults are of."""
    return sorted({check.split("/")[0] for _, checks in FAULTS.values() for check in checks})


def test_faults_of_a_real_torchrl_are_found(copied: Path, smoke: Smoke, mine: list[str]) -> None:
    for path, (code, _) in FAULTS.items():
        file = copied / path
        file.write_text(f"{file.read_text()}\n\n{code}")
    done = smoke(*(word for area in mine for word in ("--area", area)), "--format", "json")
    failed = {name for name, check in done.checks.items() if check["status"] == "failed"}
    expected = {check for _, checks in FAULTS.values() for check in checks}
    assert expected - failed == set()
    # Its metaclass takes anything, so that the signature of the class says nothing of the Config's fields.
    hidden = done.checks["configs/fields/sampler/slice_without_replacement"]
    assert hidden["status"] == "unverified"
    assert hidden["reason"] == ("SliceSamplerWithoutReplacement takes anything, but its __init__ no cache_values, span")
    assert {check["status"] for check in done.checks.values() if check["area"] == "services"} <= {
        "passed",
        "unverified",
    }


@pytest.fixture(scope="module")
def tables() -> dict[str, dict]:
    """The table of each area that has one."""
    return {
        name: load(str(areas.FOLDER / f"{name}.py"))
        for name in areas.names()
        if (areas.FOLDER / f"{name}.toml").exists()
    }


def test_every_known_exception_is_of_a_check_and_says_why(smoke: Smoke, tables: dict[str, dict]) -> None:
    ids = {entry["id"] for entry in smoke("list", "--format", "json").json["checks"]}
    rows = [(area, row) for area, table in tables.items() for row in table.get("known", ())]
    assert rows
    patterns = [f"{area}/{check}" for area, row in rows for check in row["checks"]]
    unknown = [pattern for pattern in patterns if not fnmatch.filter(ids, pattern)]
    assert unknown == []
    assert [row for _, row in rows if not row["error"] or not row["reason"]] == []


def test_without_hydra_what_needs_it_is_unverified(
    bare: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An environment with links to all that is installed here but for hydra."""
    python, script, rooms = bare
    view = tmp_path / "view"
    view.mkdir()
    for folder in map(Path, sys.path):
        for entry in folder.iterdir() if folder.name == "site-packages" else ():
            left_out = entry.name.startswith(("hydra", "omegaconf", "antlr4")) or entry.suffix == ".pth"
            if not left_out and not (view / entry.name).exists():
                (view / entry.name).symlink_to(entry)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([rooms, str(view)]))
    arguments = ["--area", "configs", "--area", "trainers", "--area", "vla"]
    done = subprocess.run([python, script, *arguments], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for area in ("configs", "trainers"):
        words = f"unverified  {area}\n            hydra-core is not installed\n            -> pip install 'hydra-core"
        assert words in done.stdout
    assert done.stdout.splitlines()[-1].startswith("8 passed")
