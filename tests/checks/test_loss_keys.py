"""``torchrl-smoke loss-keys``: what a loss reads and writes, and whether an actor fits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Outcome

Smoke = Callable[..., Outcome]


def test_a_loss_and_an_actor_that_fits(smoke: Smoke) -> None:
    done = smoke("loss-keys", "ClipPPOLoss", "--actor", "action,action_log_prob", "--format", "json")
    found = done.json
    assert (done.status, found["schema"], found["loss"]) == (0, 1, "torchrl.objectives.ppo.ClipPPOLoss")
    fields = {one["field"]: (one["default"], one["read"]) for one in found["accepted"]}
    assert fields["sample_log_prob"] == ("action_log_prob", True)
    assert fields["value"] == ("state_value", False)
    assert ["next", "reward"] in found["in_keys"] and "observation" in found["in_keys"]
    assert found["missing"] == []
    assert set(found["undeclared"]) == set(found["actual"]) - set(found["declared"])
    assert "GAE" in found["value_estimators"]
    assert found["actor"]["satisfied"] is True


def test_an_actor_with_another_key_is_told_what_to_do(
    smoke: Smoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(
        "class Actor:\n    out_keys = ['action', ('info', 'sample_log_prob')]\ndef make():\n    return Actor()\n"
    )
    monkeypatch.chdir(tmp_path)
    done = smoke("loss-keys", "torchrl.objectives.PPOLoss", "--actor", "mine:make")
    assert done.status == 1
    assert "the actor writes        action, ('info', 'sample_log_prob')\n" in done.out
    hint = "action_log_prob (sample_log_prob): loss.set_keys(sample_log_prob=('info', 'sample_log_prob'))"
    assert f"the actor lacks         {hint}\n" in done.out
    table = smoke("loss-keys", "PPOLoss", "--actor", "action", "--format", "markdown").out
    assert (
        "- the actor lacks: action_log_prob (sample_log_prob): return_log_prob=True where the actor is built" in table
    )


def test_what_is_not_known_is_said(smoke: Smoke) -> None:
    done = smoke("loss-keys", "DreamerV3Loss", "--actor", "action", "--format", "json")
    assert (done.status, done.json["in_keys"], done.json["actor"]["satisfied"]) == (3, None, None)
    assert done.json["notes"] == ["only what the class itself says: nothing here builds the networks of DreamerV3Loss"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ClipPPO"], "torchrl-smoke: this torchrl has no loss 'ClipPPO'; did you mean ClipPPOLoss?\n"),
        (
            ["PPOLoss", "--actor", "no_such:thing"],
            "--actor no_such:thing: ModuleNotFoundError: No module named 'no_such'\n",
        ),
        (["PPOLoss", "--actor", ""], "give MODULE:NAME, or keys with commas between them\n"),
        (["PPOLoss", "--actor", ":"], "give MODULE:NAME, or keys with commas between them\n"),
        (["PPOLoss", "--actor", "os:path"], "a module has no out_keys; name an actor, or a function that builds one\n"),
    ],
)
def test_wrong_questions_are_one_line(smoke: Smoke, arguments: list[str], words: str) -> None:
    done = smoke("loss-keys", *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.endswith(words)
