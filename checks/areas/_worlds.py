"""Small environments that count their steps, one for each shape of data that environments have.

They are this project's own, so that laws can be judged on releases that ship no environments for tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from tensordict import LazyStackedTensorDict, NonTensorData, NonTensorStack, TensorDict, TensorDictBase
from tensordict.nn import TensorDictModuleBase
from torchrl.data import Binary, Bounded, Categorical, Composite, NonTensor, OneHot, Unbounded
from torchrl.envs import EnvBase, check_env_specs

from ..seed import reseed

AGENTS = 2


class World(EnvBase):
    """Counts its steps, in every entry that its specs declare, and ends after ``horizon`` of them.

    Args:
        observation, action, reward, done: the specs of one environment, without batch dimensions.
        state: what is carried from step to step and is no observation.
        returns_state: whether a step returns the state; an environment need not.
        resets_done: whether a reset says that nothing has ended; an environment need not.
        batch: the batch dimensions.
        horizon: steps until it is terminated.
    """

    def __init__(
        self,
        observation: Composite,
        action: Composite,
        reward: Composite,
        done: Composite | None = None,
        state: Composite | None = None,
        returns_state: bool = True,
        resets_done: bool = True,
        batch: tuple[int, ...] = (),
        horizon: int = 1000,
    ) -> None:
        super().__init__(batch_size=batch)
        self.horizon, self.returns_state, self.resets_done = horizon, returns_state, resets_done
        self.observation_spec = observation.expand(batch)
        self.action_spec = action.expand(batch)
        self.reward_spec = reward.expand(batch)
        self.done_spec = (done or flags()).expand(batch)
        if state is not None:
            self.state_spec = state.expand(batch)
        self.count = torch.zeros(*batch, 1, dtype=torch.int64)

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        mask = self._mask(tensordict, "_reset")
        self.count = torch.where(mask, 0, self.count)
        done = [self.full_done_spec] if self.resets_done else []
        return self._filled([self.observation_spec, *done, *([self.state_spec] if len(self.state_spec) else [])])

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        self.count = torch.where(self._mask(tensordict, "_step"), self.count + 1, self.count)
        specs = [self.observation_spec, self.full_reward_spec, self.full_done_spec]
        return self._filled([*specs, *([self.state_spec] if self.returns_state and len(self.state_spec) else [])])

    def _set_seed(self, seed: int | None) -> None:
        reseed(seed or 0)

    def _mask(self, data: TensorDictBase | None, name: str) -> torch.Tensor:
        """Which environments of the batch a reset or a step is for: all of them unless the data says so."""
        keys = [] if data is None else [key for key in data.keys(True, True) if last(key) == name]
        mask = torch.zeros_like(self.count, dtype=torch.bool)
        for key in keys:
            given = data.get(key)
            mask |= given.reshape(*self.batch_size, -1).any(-1, keepdim=True)
        return mask if keys else ~mask

    def _filled(self, specs: Iterable[Composite]) -> TensorDictBase:
        out = TensorDict({}, self.batch_size, device=self.device)
        for spec in specs:
            out.update(self._of(spec, ()))
        return out

    def _of(self, spec: Any, key: tuple[str, ...]) -> Any:
        if isinstance(spec, Composite):
            if hasattr(spec, "_specs") and isinstance(spec._specs, list):  # the agents differ
                parts = [self._of(part, key) for part in spec.unbind(spec.stack_dim)]
                return LazyStackedTensorDict(*parts, stack_dim=spec.stack_dim)
            return TensorDict(
                {name: self._of(spec[name], (*key, name)) for name in spec.keys()}, spec.shape, device=self.device
            )
        if isinstance(spec, NonTensor):
            texts = [NonTensorData(f"step {count}", device=self.device) for count in self.count.flatten().tolist()]
            return NonTensorStack(*texts) if spec.shape else texts[0]
        if key[-1] in ("done", "terminated"):
            return self._like(self.count >= self.horizon, spec).expand(spec.shape).clone()
        if key[-1] == "action_mask":
            return torch.arange(spec.shape[-1]).ne(1).expand(spec.shape).clone()
        if isinstance(spec, (Categorical, OneHot)):
            return spec.zero() if isinstance(spec, Categorical) else spec.rand()
        return (spec.zero() + self._like(self.count, spec)).to(spec.dtype)

    def _like(self, value: torch.Tensor, spec: Any) -> torch.Tensor:
        missing = len(spec.shape) - value.ndim
        return value.reshape(*self.batch_size, *[1] * (missing + 1)) if missing >= 0 else value[..., 0]


def last(key: Any) -> str:
    """The name of an entry without those above it."""
    return key if isinstance(key, str) else key[-1]


def flags(*shape: int) -> Composite:
    """What says that an episode has ended."""
    names = ("done", "terminated", "truncated")
    return Composite({name: Binary(1, shape=(*shape, 1), dtype=torch.bool) for name in names}, shape=shape)


def agents(**leaves: Any) -> Composite:
    """A group of agents."""
    return Composite(agents=Composite(leaves, shape=(AGENTS,)))


def different(*leaves: dict[str, Any]) -> Composite:
    """A group of agents of which each has other entries."""
    return Composite(agents=torch.stack([Composite(each) for each in leaves]))


def plain(**more: Any) -> World:
    """Flat entries, of one environment."""
    given = {
        "observation": Composite(observation=Unbounded(3)),
        "action": Composite(action=Bounded(-1, 1, 2)),
        "reward": Composite(reward=Unbounded(1)),
    }
    return World(**{**given, **more})


def nested_done(**more: Any) -> World:
    """Every entry, the end of an episode included, is below another one."""
    return World(
        Composite(data=Composite(observation=Unbounded(3))),
        Composite(data=Composite(action=Bounded(-1, 1, 2))),
        Composite(data=Composite(reward=Unbounded(1))),
        Composite(data=flags()),
        **more,
    )


def team(done: Composite | None = None, **more: Any) -> World:
    """Agents of one kind, with one end for all unless said."""
    return World(
        agents(observation=Unbounded((AGENTS, 3))),
        agents(action=Bounded(-1, 1, (AGENTS, 2))),
        agents(reward=Unbounded((AGENTS, 1))),
        done,
        **more,
    )


def ending_team(**more: Any) -> World:
    """Agents of which each has an end of its own, below that of all."""
    return team(Composite(flags(), agents=flags(AGENTS)), **more)


def mixed_team(**more: Any) -> World:
    """Agents whose observations differ in shape, each with an end of its own."""
    return World(
        different(*({"observation": Unbounded(3 + index)} for index in range(AGENTS))),
        different(*({"action": Bounded(-1, 1, 2)} for _ in range(AGENTS))),
        different(*({"reward": Unbounded(1)} for _ in range(AGENTS))),
        different(*(dict(flags().items()) for _ in range(AGENTS))),
        **more,
    )


def pixels(channels: int = 3, **more: Any) -> World:
    """An image and a few numbers."""
    image = Bounded(0, 255, (channels, 8, 8), dtype=torch.uint8)
    return plain(observation=Composite(pixels=image, observation=Unbounded(3)), **more)


def grey(**more: Any) -> World:
    """An image of one channel."""
    return pixels(1, **more)


def choices(**more: Any) -> World:
    """One of four actions, not all of which are allowed."""
    observation = Composite(observation=Unbounded(3), action_mask=Binary(4, shape=(4,), dtype=torch.bool))
    return plain(observation=observation, action=Composite(action=Categorical(4)), **more)


def one_hot(**more: Any) -> World:
    """One of four actions, as a vector."""
    return plain(action=Composite(action=OneHot(4)), **more)


def objectives(**more: Any) -> World:
    """Several rewards at once."""
    return plain(reward=Composite(reward=Unbounded(3)), **more)


def stateful(**more: Any) -> World:
    """A state that is no observation and that a step returns."""
    return plain(state=Composite(hidden=Unbounded(4)), **more)


def taciturn(**more: Any) -> World:
    """A state that is no observation and that a step does not return."""
    return plain(state=Composite(hidden=Unbounded(4)), returns_state=False, **more)


def silent(**more: Any) -> World:
    """A reset that tells no end, and an observation without dimensions."""
    observation = Composite(observation=Unbounded(3), lamp=Binary(shape=()))
    return plain(observation=observation, resets_done=False, **more)


def telling(**more: Any) -> World:
    """An observation that is a text."""
    return plain(observation=Composite(observation=Unbounded(3), text=NonTensor((), example_data="a text")), **more)


def double(**more: Any) -> World:
    """Observations in double precision and in integers."""
    observation = Composite(
        observation=Unbounded(3, dtype=torch.float64), number=Unbounded(1, dtype=torch.int64), flat=Unbounded(())
    )
    return plain(observation=observation, **more)


WORLDS: dict[str, Callable[..., World]] = {
    make.__name__: make
    for make in (
        plain,
        nested_done,
        team,
        ending_team,
        mixed_team,
        pixels,
        grey,
        choices,
        one_hot,
        objectives,
        stateful,
        taciturn,
        silent,
        telling,
        double,
    )
}


def entries(spec: Any) -> list[Any]:
    """The keys of the leaves of a composite spec."""
    return list(spec.keys(True, True))


class Idle(TensorDictModuleBase):
    """A policy that always takes the same action."""

    def __init__(self, env: EnvBase) -> None:
        super().__init__()
        self.in_keys, self.out_keys, self.action = [], env.action_keys, env.full_action_spec.zero()

    def forward(self, tensordict: TensorDictBase) -> TensorDictBase:
        return tensordict.update(self.action)


def obeys(env: EnvBase, steps: int) -> None:
    """The law of an environment: what reset, step and rollout return lies in its specs, key by key."""
    env.set_seed(1)
    start = env.reset()
    within(env.observation_spec, start, "reset")
    within(env.full_done_spec, start, "reset")
    data = env.step(env.rand_action(start))
    within(env.full_action_spec, data, "rand_action")
    for spec in (env.observation_spec, env.full_reward_spec, env.full_done_spec):
        within(spec, data["next"], "step")
    assert 1 <= env.rollout(steps).shape[-1] <= steps
    check_env_specs(env)


def within(spec: Any, data: Any, source: str) -> None:
    """Every key of a composite spec is in the data, with a value that the spec admits."""
    keys = list(spec.keys(True, True))
    missing = [key for key in keys if key not in data.keys(True, True)]
    assert not missing, f"{source} does not return {missing}, which the specs declare"
    assert spec.is_in(data.select(*keys)), f"what {source} returns for {keys} is not what {spec} admits"
