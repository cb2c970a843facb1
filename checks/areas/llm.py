"""Language models: conversations, the chat environment, rewards, group advantages, distributions of tokens; no model is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import tensordict
import torch
from tensordict import TensorDict, lazy_stack

from ..table import load
from ._public import present

TABLE = load(__file__)

CHATS = [
    [{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}],
    [{"role": "user", "content": "three"}, {"role": "assistant", "content": "four"}],
]
HISTORY = "torchrl.data.llm.History"
PAD = 0


@pytest.fixture(autouse=True)
def lists_are_stacked() -> Iterator[None]:
    """What tensordict asks of those who put lists into it, until it became its default."""
    with tensordict.set_list_to_stack(True):
        yield


def history(chats: list[list[dict[str, str]]]) -> Any:
    """A conversation for each list of messages."""
    return present("torchrl.data.llm").History.from_chats(chats)


def messages(conversations: Any) -> list[list[tuple[str, str]]]:
    """What conversations hold, as plain values."""
    return [list(zip(one.role, one.content)) for one in conversations]


def plain(chats: list[list[dict[str, str]]]) -> list[list[tuple[str, str]]]:
    """The messages of some chats, as plain values."""
    return [[(one["role"], one["content"]) for one in chat] for chat in chats]


@pytest.mark.needs(HISTORY)
def test_chats_come_back() -> None:
    """Conversations hold the messages that they are made of, also in one message's and one conversation's slice."""
    made = history(CHATS)
    assert made.shape == (2, 2), f"the shape is {tuple(made.shape)}"
    assert messages(made) == plain(CHATS), f"the messages are {messages(made)}"
    assert (made[1, 0].role, made[1, 0].content) == ("user", "three")


@pytest.mark.needs(HISTORY)
@pytest.mark.parametrize("inplace", ["inplace", "copy"])
def test_append_and_extend(inplace: str) -> None:
    """A message that is appended comes last in every conversation; a copy leaves the original alone."""
    made = history(CHATS)
    more = history([[{"role": "user", "content": "next"}]] * 2)
    longer = made.append(more[:, 0], inplace=inplace == "inplace")
    wanted = [[*chat, ("user", "next")] for chat in plain(CHATS)]
    assert messages(longer) == wanted, f"after append: {messages(longer)}"
    if inplace == "copy":
        assert messages(made) == plain(CHATS), "the original is longer, too"
    both = longer.extend(history(CHATS), inplace=False, dim=1)
    assert messages(both) == [[*first, *second] for first, second in zip(wanted, plain(CHATS))]
    assert messages(longer) == wanted, "the original is longer, too"


@pytest.mark.needs(HISTORY)
def test_history_spec() -> None:
    """Conversations are in their default spec, and so is what the spec makes."""
    made = history(CHATS)
    spec = type(made).default_spec(shape=(2, -1))
    assert spec.is_in(made) or spec.is_in(made.to_tensordict()), f"{made} is not in its default spec"


@pytest.mark.needs("torchrl.envs.llm.ChatEnv", HISTORY)
@pytest.mark.parametrize("prompt", ["system", "none"])
def test_chat_reset(prompt: str) -> None:
    """A reset begins a conversation with the system prompt, if any, and the query, and a second one begins another."""
    env = present("torchrl.envs.llm").ChatEnv(
        batch_size=(1,), input_mode="history", **({"system_prompt": "be brief"} if prompt == "system" else {})
    )
    for query in ("hello", "again"):
        output = env.reset(TensorDict({"query": [query]}, batch_size=(1,)))
        wanted = [("system", "be brief")] * (prompt == "system") + [("user", query)]
        found = messages(output["history"].prompt)
        assert found == [wanted], f"the conversation after a reset with {query!r} is {found}"


@pytest.mark.needs("torchrl.envs.llm.ChatEnv", "torchrl.modules.llm.policies.ChatHistory", HISTORY)
def test_chat_step() -> None:
    """A step with an answer has a longer conversation as its next prompt, and leaves the one before as it was."""
    env = present("torchrl.envs.llm").ChatEnv(batch_size=(1,), input_mode="history")
    data = env.reset(TensorDict({"query": ["hello"]}, batch_size=(1,)))
    prompt = data["history"].prompt
    before = messages(prompt)
    answer = history([[{"role": "assistant", "content": "hi"}]])
    cls = present("torchrl.modules.llm.policies").ChatHistory
    data["history"] = cls(
        prompt=prompt, response=answer, full=prompt.extend(answer, inplace=False, dim=-1), batch_size=prompt.shape[:1]
    )
    found = messages(env.step(data)["next", "history"].prompt)
    assert found == [[("user", "hello"), ("assistant", "hi")]], f"the next prompt is {found}"
    assert messages(prompt) == before, "the prompt before is longer, too"


MODEL = "torchrl.modules.models.llm.GPT2RewardModel"


def scored(rows: list[list[int]], seed: int) -> Any:
    """Rows of tokens with a reward for each token."""
    ids = torch.tensor(rows)
    draw = torch.Generator().manual_seed(seed)
    rewards = torch.randn(6, ids.shape[1], generator=draw)[: len(ids)].requires_grad_()
    return present("torchrl.data.llm").RewardData(
        input_ids=ids, attention_mask=torch.ones_like(ids), rewards=rewards, batch_size=ids.shape[:1]
    )


def reward_loss(chosen: Any, rejected: Any) -> torch.Tensor:
    """The loss of a reward model for pairs of rows; its network is not needed for that."""
    return present("torchrl.modules.models.llm").GPT2RewardModel.compute_reward_loss(chosen, rejected, PAD)


FIRST, SECOND = [[5, 6, 7, 8], [5, 9, 7, PAD]], [[5, 6, 3, PAD], [4, 9, 7, 8]]


@pytest.mark.needs(MODEL, "torchrl.data.llm.RewardData")
def test_reward_loss() -> None:
    """The loss of pairs is the mean of the losses of each, and what is common to both has no part in it."""
    chosen, rejected = scored(FIRST, 1), scored(SECOND, 2)
    loss = reward_loss(chosen, rejected)
    alone = [reward_loss(chosen[row : row + 1], rejected[row : row + 1]) for row in range(2)]
    assert torch.allclose(loss, torch.stack(alone).mean()), f"the loss of two pairs is {loss}, that of each {alone}"
    loss.backward()
    assert bool(chosen.rewards.grad.any()), "the chosen rewards get no gradient"
    assert not bool(chosen.rewards.grad[0, :2].any()), "tokens that both rows begin with get a gradient"


@pytest.mark.needs(MODEL, "torchrl.data.llm.RewardData")
def test_reward_loss_of_equal_rows() -> None:
    """A pair of equal rows says nothing: its loss is zero."""
    loss = reward_loss(scored([[5, 6, 7, 8]], 1), scored([[5, 6, 7, 8]], 2))
    assert isinstance(loss, torch.Tensor) and float(loss) == 0, f"the loss of equal rows is {loss}"


@pytest.mark.needs(MODEL, "torchrl.data.llm.RewardData")
def test_reward_loss_beside_equal_rows() -> None:
    """A pair of equal rows beside others changes nothing."""
    wanted = reward_loss(scored(FIRST, 1), scored(SECOND, 2))
    given = reward_loss(scored([*FIRST, FIRST[0]], 1), scored([*SECOND, FIRST[0]], 2))
    assert torch.allclose(wanted, given), f"the loss is {wanted}, and {given} with a pair of equal rows beside"


@pytest.mark.needs("torchrl.data.llm.ConstantKLController")
def test_constant_coefficient() -> None:
    """A constant coefficient stays."""
    made = present("torchrl.data.llm").ConstantKLController(kl_coef=0.2)
    made.update([3.0])
    assert made.coef == 0.2, f"the coefficient is {made.coef}"


@pytest.mark.needs("torchrl.data.llm.AdaptiveKLController")
@pytest.mark.parametrize("side", ["above", "below"])
def test_adaptive_coefficient(side: str) -> None:
    """An adaptive coefficient grows when the divergence is above its target, and shrinks when it is below."""
    made = present("torchrl.data.llm").AdaptiveKLController(init_kl_coef=0.2, target=1.0, horizon=10)
    value = 9.0 if side == "above" else 0.01
    made.update([value])
    assert (made.coef > 0.2) == (side == "above"), f"after a divergence of {value} the coefficient is {made.coef}"


@pytest.mark.needs("torchrl.objectives.llm.MCAdvantage")
def test_group_advantage() -> None:
    """Advantages wait for the whole group, are of mean zero in it, and are written to a copy of nobody else's data."""
    transform = present("torchrl.objectives.llm").MCAdvantage(grpo_size=2)

    def trajectory(reward: float) -> TensorDict:
        done = torch.ones(1, 1, dtype=torch.bool)
        data = TensorDict(
            {"query": "q", "next": {"reward": torch.full((1, 1, 1), reward), "done": done}}, batch_size=[1]
        )
        return lazy_stack([data[0]])

    first, second = trajectory(0.0), trajectory(1.0)
    assert transform.inv(first) is None, "an advantage is given before the group is whole"
    output = transform.inv(second)
    advantage = output["advantage"]
    assert output.numel() == 2, f"of a group of two, {output.numel()} are given"
    assert abs(float(advantage.mean())) < 1e-4, f"the advantages are {advantage}"
    assert float(advantage.max()) > 0, f"the advantages are {advantage}"


@pytest.mark.needs("torchrl.data.llm.TopKRewardSelector")
def test_top_k() -> None:
    """Of the answers to one prompt, those with the highest rewards are kept."""
    selector = present("torchrl.data.llm").TopKRewardSelector(total_dialog_turns=4, topk_size=2)
    given = []
    for row, reward in enumerate([0.1, 0.5, 0.3, 0.2]):
        tokens = {"reward": torch.full((row + 3, 1), reward), "done": torch.ones(1, 1, dtype=torch.bool)}
        given.append(selector.inv(lazy_stack([TensorDict({"text": {"prompt": "q"}, "next": tokens})])))
    kept = [one for one in given if one is not None]
    assert len(kept) == 1, f"answers are kept at {len(kept)} of four times, not once"
    found = sorted(round(float(one["next", "reward"][0]), 4) for one in kept[0].unbind(0))
    assert found == [0.3, 0.5], f"kept are {found}"
