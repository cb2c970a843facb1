"""Small networks and batches of data for each loss, from the recipes of ``objectives.toml``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from tensordict.utils import unravel_key
from torch import nn
from torchrl import data as specs
from torchrl import modules
from torchrl.modules.distributions import NormalParamExtractor, OneHotCategorical, TanhDelta, TanhNormal
from torchrl.objectives import LossModule

from .. import toml
from ..outcome import Unverified
from ..seed import reseed
from ._public import classes, parameters

RECIPES: dict[str, dict[str, Any]] = toml.read(Path(__file__).with_name("objectives.toml"))["losses"]
PACKAGES = ("torchrl.objectives", "torchrl.objectives.multiagent", "torchrl.objectives.llm")
OBSERVATION, ACTION, AGENTS, ATOMS, STATE, CHUNK = 4, 2, 3, 5, 6, 3
Key = Any  # a name or a tuple of names
Make = Callable[[tuple[int, ...], torch.Generator], torch.Tensor]


@cache
def losses() -> dict[str, type[LossModule]]:
    """The public losses of this release."""
    return {name: cls for name, cls in classes(LossModule, *PACKAGES).items() if cls is not LossModule}


def recipe(name: str) -> dict[str, Any]:
    """How to build a loss; unverified for one that nothing here can build."""
    if name not in RECIPES:
        raise Unverified(f"nothing here builds the networks of {name}")
    return RECIPES[name]


def build(name: str, *, networks: dict[str, Any] | None = None, **arguments: Any) -> LossModule:
    """A loss with small networks, the same for every call.

    Args:
        name: the loss.
        networks: networks that replace those of the recipe.
        arguments: arguments that are added to the recipe's.
    """
    row = recipe(name)
    reseed(3)
    made = {key: NETWORKS[value]() for key, value in row.get("networks", {}).items() if key not in (networks or {})}
    given = {key: value for key, value in row.get("arguments", {}).items() if key in parameters(losses()[name])}
    loss = losses()[name](**made, **(networks or {}), **given | arguments)
    keys = {field: tuple(path) for field, path in row.get("keys", {}).items()}
    if keys:
        loss.set_keys(**keys)
    return loss


def batch(loss: LossModule, size: Sequence[int] = (2, 4), seed: int = 0, more: Sequence[Key] = ()) -> TensorDict:
    """Data that holds what the loss declares to read and ``more`` keys, nothing else.

    Raises:
        Unverified: the loss declares a key for which there is no recipe.
    """
    row = RECIPES[type(loss).__name__]
    keys = getattr(loss, "in_keys", None) or [tuple(path) for path in row.get("reads", ())]
    special = {"action": _one_hot} if row.get("discrete") else {}
    return filled([*keys, *more], size[: row.get("dims", len(size))], seed, special)


def filled(
    keys: Sequence[Key], size: Sequence[int], seed: int = 0, special: dict[str, Make] | None = None
) -> TensorDict:
    """A tensordict with a value for each key, made by the last part of its name."""
    makers = VALUES | (special or {})
    draw = torch.Generator().manual_seed(seed)
    found = TensorDict(batch_size=list(size))
    for key in keys:
        path = (flat(key),) if isinstance(flat(key), str) else flat(key)
        make = makers.get(path[-1])
        if make is None:
            raise Unverified(f"nothing here makes data for {key!r}")
        shape = (*size, AGENTS) if "agents" in path else tuple(size)
        found.set(path, make(shape, draw))
    return found


def flat(key: Key) -> Key:
    """A key without nested tuples, and a name instead of a tuple of one."""
    return unravel_key(key) if key else key


def _normal(*event: int) -> Make:
    return lambda shape, draw: torch.randn(*shape, *event, generator=draw)


def _false(shape: tuple[int, ...], draw: torch.Generator) -> torch.Tensor:
    return torch.zeros(*shape, 1, dtype=torch.bool)


def _one_hot(shape: tuple[int, ...], draw: torch.Generator) -> torch.Tensor:
    return nn.functional.one_hot(torch.randint(ACTION, shape, generator=draw), ACTION)


def _action(shape: tuple[int, ...], draw: torch.Generator) -> torch.Tensor:
    return torch.rand(*shape, ACTION, generator=draw) * 1.6 - 0.8


VALUES: dict[str, Make] = {
    "observation": _normal(OBSERVATION),
    "collector_observation": _normal(OBSERVATION),
    "state": _normal(STATE),
    "action": _action,
    "collector_action": _action,
    "chunk": _normal(CHUNK, ACTION),
    "reward": _normal(1),
    "return_to_go": _normal(1),
    "advantage": _normal(1),
    "value_target": _normal(1),
    "state_value": _normal(1),
    "loc": _normal(ACTION),
    "scale": lambda shape, draw: torch.rand(*shape, ACTION, generator=draw) + 0.5,
    "logits": _normal(ACTION),
    "priority_weight": lambda shape, draw: torch.ones(shape),
    "done": _false,
    "terminated": _false,
    "truncated": _false,
    "is_init": _false,
    **dict.fromkeys(
        ("action_log_prob", "sample_log_prob", "_log_prob", "log_prob"),
        lambda shape, draw: -torch.rand(*shape, generator=draw) - 0.5,
    ),
}


class Joined(nn.Sequential):
    """A small network over all its inputs side by side."""

    def __init__(self, inputs: int, outputs: int, *then: nn.Module) -> None:
        super().__init__(nn.Linear(inputs, 8), nn.Tanh(), nn.Linear(8, outputs), *then)

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        return super().forward(torch.cat([one.to(self[0].weight.dtype) for one in inputs], -1))


def bounded(*shape: int) -> Any:
    """The spec of actions between -1 and 1."""
    return specs.Bounded(-1, 1, shape or (ACTION,))


def gaussian(distribution: type = TanhNormal, width: int = ACTION) -> Any:
    """A stochastic actor of continuous actions."""
    net = Joined(OBSERVATION, 2 * width, NormalParamExtractor())
    return modules.ProbabilisticActor(
        TensorDictModule(net, in_keys=["observation"], out_keys=["loc", "scale"]),
        in_keys=["loc", "scale"],
        out_keys=["action"],
        spec=bounded(width),
        distribution_class=distribution,
        return_log_prob=True,
    )


def normal() -> Any:
    """A stochastic actor whose entropy is known, so that nothing is drawn for it."""
    return gaussian(distribution=modules.IndependentNormal)


def discrete(width: int = ACTION) -> Any:
    """A stochastic actor of one-hot actions."""
    return modules.ProbabilisticActor(
        TensorDictModule(Joined(OBSERVATION, width), in_keys=["observation"], out_keys=["logits"]),
        in_keys=["logits"],
        out_keys=["action"],
        spec=specs.OneHot(width),
        distribution_class=OneHotCategorical,
        return_log_prob=True,
    )


def deterministic() -> Any:
    """An actor that gives one action."""
    return modules.Actor(Joined(OBSERVATION, ACTION, nn.Tanh()), spec=bounded())


def value() -> Any:
    """The value of a state."""
    return modules.ValueOperator(Joined(OBSERVATION, 1), in_keys=["observation"])


def critic() -> Any:
    """The value of a state and an action."""
    return modules.ValueOperator(Joined(OBSERVATION + ACTION, 1), in_keys=["observation", "action"])


def quantiles() -> Any:
    """Quantiles of the value of a state and an action."""
    return modules.ValueOperator(Joined(OBSERVATION + ACTION, ATOMS), in_keys=["observation", "action"])


def values(width: int = ACTION) -> Any:
    """The values of all discrete actions."""
    return TensorDictModule(Joined(OBSERVATION, width), in_keys=["observation"], out_keys=["action_value"])


def state_action_values() -> Any:
    """The values of all discrete actions, under the key that a critic of one action has."""
    return TensorDictModule(Joined(OBSERVATION, ACTION), in_keys=["observation"], out_keys=["state_action_value"])


def greedy() -> Any:
    """An actor that takes the discrete action of the highest value."""
    return modules.QValueActor(Joined(OBSERVATION, ACTION), in_keys=["observation"], spec=specs.OneHot(ACTION))


def atoms() -> Any:
    """An actor that takes the discrete action whose distribution of values has the highest mean."""
    net = Joined(OBSERVATION, ATOMS * ACTION, nn.Unflatten(-1, (ATOMS, ACTION)))
    return modules.DistributionalQValueActor(
        net, in_keys=["observation"], support=torch.linspace(-1, 1, ATOMS), spec=specs.OneHot(ACTION)
    )


def discriminator() -> Any:
    """Whether an observation and an action are an expert's."""
    return TensorDictModule(Joined(OBSERVATION + ACTION, 1, nn.Sigmoid()), ["observation", "action"], ["d_logits"])


def features() -> Any:
    """Features of an observation."""
    return Joined(OBSERVATION, 3)


def returns() -> Any:
    """An actor that is conditioned on the return to go."""
    net = TensorDictModule(
        Joined(OBSERVATION + ACTION + 1, ACTION), ["observation", "action", "return_to_go"], ["param"]
    )
    head = modules.SafeProbabilisticModule(["param"], ["action"], distribution_class=TanhDelta)
    return modules.SafeProbabilisticTensorDictSequential(net, head)


def stochastic_returns() -> Any:
    """A stochastic actor that is conditioned on the return to go."""
    net = Joined(OBSERVATION + ACTION + 1, 2 * ACTION, NormalParamExtractor())
    params = TensorDictModule(net, ["observation", "action", "return_to_go"], ["loc", "scale"])
    return modules.ProbabilisticActor(
        params, in_keys=["loc", "scale"], spec=bounded(), distribution_class=TanhNormal, return_log_prob=True
    )


def agents_actor() -> Any:
    """A stochastic actor for several agents."""
    net = modules.MultiAgentMLP(
        OBSERVATION, 2 * ACTION, AGENTS, centralized=False, share_params=True, depth=1, num_cells=8
    )
    params = TensorDictModule(
        nn.Sequential(net, NormalParamExtractor()),
        [("agents", "observation")],
        [("agents", "loc"), ("agents", "scale")],
    )
    return modules.ProbabilisticActor(
        params,
        in_keys=[("agents", "loc"), ("agents", "scale")],
        out_keys=[("agents", "action")],
        distribution_class=TanhNormal,
        return_log_prob=True,
    )


def agents_value() -> Any:
    """The value of a state for each of several agents."""
    net = modules.MultiAgentMLP(OBSERVATION, 1, AGENTS, centralized=True, share_params=True, depth=1, num_cells=8)
    return TensorDictModule(net, [("agents", "observation")], [("agents", "state_value")])


def agents_greedy() -> Any:
    """An actor of each agent that takes the action of the highest value."""
    net = modules.MultiAgentMLP(OBSERVATION, ACTION, AGENTS, centralized=False, share_params=True, depth=1, num_cells=8)
    head = modules.QValueModule(
        action_value_key=("agents", "action_value"),
        out_keys=[("agents", "action"), ("agents", "action_value"), ("agents", "chosen_action_value")],
        action_space="one-hot",
    )
    return modules.SafeSequential(
        TensorDictModule(net, [("agents", "observation")], [("agents", "action_value")]), head
    )


def mixer() -> Any:
    """The value of the values that the agents' actions have, and a state."""
    net = modules.QMixer(state_shape=(STATE,), mixing_embed_dim=4, n_agents=AGENTS, device="cpu")
    return TensorDictModule(net, [("agents", "chosen_action_value"), "state"], ["chosen_action_value"])


def act() -> Any:
    """A transformer that gives a chunk of actions."""
    net = modules.models.ACTModel(OBSERVATION, ACTION, CHUNK, 8, 2, 1, 1, 2, 0.0)
    return TensorDictModule(net, ["observation", "action_chunk"], ["action_pred", "mu", "log_var"])


def diffusion() -> Any:
    """An actor that denoises an action."""
    return modules.DiffusionActor(ACTION, obs_dim=OBSERVATION, score_network=Joined(OBSERVATION + ACTION + 1, ACTION))


NETWORKS: dict[str, Callable[[], Any]] = {
    make.__name__.replace("_", "-"): make
    for make in (
        gaussian,
        normal,
        discrete,
        deterministic,
        value,
        critic,
        quantiles,
        values,
        state_action_values,
        greedy,
        atoms,
        discriminator,
        features,
        act,
        diffusion,
        returns,
        stochastic_returns,
        agents_actor,
        agents_value,
        agents_greedy,
        mixer,
    )
}
