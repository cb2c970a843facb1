"""Modules: networks and their gradients, agents, recurrence, actors, exploration, value norms and transforms."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl import data as specs
from torchrl import modules
from torchrl.envs.utils import ExplorationType, set_exploration_type

from ..needs import unmet
from ..outcome import Unverified
from ..seed import reseed
from ..table import load
from ._losses import ACTION, OBSERVATION, Joined, bounded, gaussian
from ._public import classes, parameters, present, sampled

TABLE = load(__file__)
AGENTS = 3


def net(name: str) -> nn.Module:
    """A small network by the recipe of the table, the same for every call."""
    row = TABLE["nets"][name]
    if "needs" in row and (trouble := unmet(row["needs"])):
        raise Unverified(*trouble)
    module = row.get("module", "torchrl.modules")
    cls = getattr(present(module), name, None)
    if cls is None:
        raise Unverified(*(unmet(f"{module}.{name}") or (f"{module} has no {name}", "")))
    arguments = {
        key: tuple(value) if key == "state_shape" else value for key, value in row.get("arguments", {}).items()
    }
    if foreign := set(arguments) - set(parameters(cls)):
        raise Unverified(f"this torchrl's {name} takes no {', '.join(sorted(foreign))}")
    reseed(4)
    return cls(**arguments).train(row.get("train", False))


def inputs(name: str, batch: tuple[int, ...]) -> list[torch.Tensor]:
    """What a network reads; rows that two batches have in common are equal."""
    made = []
    for number, shape in enumerate(TABLE["nets"][name]["inputs"]):
        draw = torch.Generator().manual_seed(number)
        made.append(torch.randn(torch.Size(batch).numel(), *shape, generator=draw).reshape(*batch, *shape))
    return made


def leaves(output: Any) -> Iterator[torch.Tensor]:
    """The floating-point tensors of what a network gives."""
    if isinstance(output, torch.Tensor):
        if output.is_floating_point():
            yield output
    elif isinstance(output, (tuple, list)):
        for one in output:
            yield from leaves(one)


def forward(module: nn.Module, values: list[torch.Tensor]) -> list[torch.Tensor]:
    """What a network gives, with the same random numbers for every call."""
    reseed(0)
    found = list(leaves(module(*values)))
    assert found, "the network gives no floating-point tensor"
    return found


@pytest.mark.parametrize("name", sampled(TABLE["nets"], every=6, keep=["ImpalaNet"]))
def test_every_parameter_gets_a_gradient(name: str) -> None:
    """Every parameter of a network has a part in what it gives."""
    module = net(name)
    reseed(1)
    total = sum((one * torch.randn_like(one)).sum() for one in forward(module, inputs(name, (4,))))
    if not list(module.parameters()):
        return
    total.backward()
    without = [key for key, value in module.named_parameters() if value.grad is None]
    assert not without, f"{without} get no gradient"
    wrong = [key for key, value in module.named_parameters() if not bool(value.grad.isfinite().all())]
    assert not wrong, f"the gradients of {wrong} are not finite"


@pytest.mark.parametrize("name", sampled(TABLE["nets"], every=6))
def test_inputs_stay(name: str) -> None:
    """A network leaves what it reads as it was."""
    module, values = net(name), inputs(name, (2,))
    before = [value.clone() for value in values]
    forward(module, values)
    changed = [number for number, (was, value) in enumerate(zip(before, values)) if not torch.equal(was, value)]
    assert not changed, f"inputs {changed} are changed in place"


@pytest.mark.parametrize("name", sampled(TABLE["nets"], every=6))
def test_batch(name: str) -> None:
    """A row alone gives what it gives in a batch, and a batch of two dimensions what one of one dimension gives."""
    row = TABLE["nets"][name]
    module = net(name)
    if row.get("noise"):
        raise Unverified(f"{name} draws random numbers")
    two = forward(module, inputs(name, (2,)))
    for one, both in zip(forward(module, [value[:1] for value in inputs(name, (2,))]), two[: row.get("outputs")]):
        assert torch.allclose(one, both[:1], atol=1e-4), (
            "a batch of one gives something else than the row of a batch of two"
        )
    if "batch" in row:
        return
    for one, both in zip(forward(module, [value[0] for value in inputs(name, (2,))]), two):
        assert one.shape == both.shape[1:], (
            f"without a batch the shape is {tuple(one.shape)}, not {tuple(both.shape[1:])}"
        )
    flat = forward(module, inputs(name, (6,)))
    for one, both in zip(forward(module, inputs(name, (2, 3))), flat):
        assert one.shape == (2, 3, *both.shape[1:]), f"of a batch of (2, 3) the shape is {tuple(one.shape)}"
        assert torch.allclose(one.flatten(0, 1), both, atol=1e-4), "a batch of (2, 3) differs from one of six"


@pytest.mark.parametrize("name", sampled(TABLE["nets"], every=7))
def test_state_dict(name: str) -> None:
    """A network that loads another's state gives the same, and keeps it when the other changes; so does a copy."""
    module, values = net(name), inputs(name, (2,))
    for value in module.parameters():
        value.data.mul_(1.1)
    other, copied = net(name), copy.deepcopy(module)
    other.load_state_dict(module.state_dict())
    wanted = [one.clone() for one in forward(module, values)]
    for value in module.parameters():
        value.data.add_(1)
    for second in (other, copied):
        for one, both in zip(wanted, forward(second, values)):
            assert torch.allclose(one, both, atol=1e-4), "a copy gives something else than the network that it is of"


def agent_nets() -> list[str]:
    """Networks for several agents with each choice of sharing and centralising."""
    found = classes(modules.MultiAgentNetBase, "torchrl.modules") if hasattr(modules, "MultiAgentNetBase") else {}
    return [
        f"{name}-{share}-{central}"
        for name in found
        if name in AGENT_INPUTS
        for share in ("shared", "own")
        for central in ("centralized", "local")
    ]


AGENT_INPUTS = {"MultiAgentMLP": (OBSERVATION,), "MultiAgentConvNet": (3, 6, 6)}


def agent_net(case: str) -> nn.Module:
    """The network of a case, the same for every call."""
    name, share, central = case.split("-")
    reseed(4)
    options = {"share_params": share == "shared", "centralized": central == "centralized"}
    if name == "MultiAgentMLP":
        return modules.MultiAgentMLP(OBSERVATION, 2, AGENTS, depth=1, num_cells=4, **options)
    return modules.MultiAgentConvNet(AGENTS, in_features=3, num_cells=[4], kernel_sizes=3, **options)


@pytest.mark.parametrize("case", sampled(agent_nets(), every=4))
def test_agents(case: str) -> None:
    """There is an output for each agent; without sharing they differ, and without a centre each depends on its own input."""
    module = agent_net(case)
    values = torch.randn(2, AGENTS, *AGENT_INPUTS[case.split("-")[0]])
    values[:, 1:] = values[:, :1]
    output = module(values)
    assert output.shape[:2] == (2, AGENTS), f"the output has shape {tuple(output.shape)}"
    alike = torch.allclose(output[:, 0], output[:, 1], atol=1e-5)
    assert alike == ("shared" in case), f"equal inputs of two agents give {'equal' if alike else 'different'} outputs"
    values.requires_grad_()
    module(values)[:, 0].sum().backward()
    own = not bool(values.grad[:, 1:].any())
    assert own == ("local" in case), f"an agent's output {'does not depend' if own else 'depends'} on the others' input"


@pytest.mark.needs("torchrl.modules.MultiAgentNetBase")
@pytest.mark.parametrize("dim", ["0", "1", "2", "-2", "-3", "-4"])
@pytest.mark.parametrize("share", ["shared", "own"])
def test_agent_dimension(share: str, dim: str) -> None:
    """A user's own network has its outputs in the dimension where it is told that the agents are, the same in all."""

    class Own(modules.MultiAgentNetBase):
        def _build_single_net(self, **_: Any) -> nn.Module:
            return nn.Linear(OBSERVATION, 2)

        def _pre_forward_check(self, values: torch.Tensor) -> torch.Tensor:
            return values

    values = torch.randn(2, 5, AGENTS, OBSERVATION)
    outputs = []
    for where in (-2, int(dim)):
        reseed(4)
        module = Own(n_agents=AGENTS, centralized=False, share_params=share == "shared", agent_dim=where)
        output = module(values.movedim(2, where))
        wanted = values.movedim(2, where)[..., :2].shape
        assert output.shape == wanted, (
            f"with agent_dim={where} the output has shape {tuple(output.shape)}, not {tuple(wanted)}"
        )
        outputs.append(output.movedim(where, 2))
    assert torch.allclose(*outputs, atol=1e-5), f"with agent_dim={dim} the outputs differ from those with -2"


RECURRENT = [name for name in ("LSTMModule", "GRUModule") if hasattr(modules, name)]
BACKENDS = [
    *sampled(["pad", "auto"], every=2),
    pytest.param("scan", marks=[pytest.mark.tier("compile"), pytest.mark.limit(300)]),
]


def recurrent(name: str, **arguments: Any) -> Any:
    """A recurrent module over an observation."""
    reseed(4)
    hidden = ["h", "c"] if name == "LSTMModule" else ["h"]
    return getattr(modules, name)(
        input_size=OBSERVATION,
        in_keys=["observation", *hidden],
        out_keys=["embed", *(("next", key) for key in hidden)],
        **{"hidden_size": 3, **arguments},
    )


def sequence(name: str, layers: int) -> TensorDict:
    """Two sequences, of which the first begins anew at its third step and the second at its fourth."""
    data = TensorDict(batch_size=[2, 6])
    data["observation"] = torch.randn(2, 6, OBSERVATION)
    data["is_init"] = torch.zeros(2, 6, 1, dtype=torch.bool)
    data["is_init"][0, 3] = data["is_init"][1, 4] = data["is_init"][:, 0] = True
    return data


def stepped(module: Any, data: TensorDict) -> torch.Tensor:
    """The embeddings of one step after another, each with the hidden state that the one before left."""
    found = []
    state: dict[str, torch.Tensor] = {}
    for number in range(data.shape[1]):
        step = data[:, number].clone().update(state)
        step = module(step)
        state = {key: step["next", key] for key in step["next"].keys()}
        found.append(step["embed"])
    return torch.stack(found, 1)


def recurrent_mode(mode: bool) -> Any:
    """The context in which recurrent modules read sequences."""
    return modules.set_recurrent_mode(mode)


@pytest.mark.needs("torchrl.modules.set_recurrent_mode")
@pytest.mark.parametrize("layers", sampled(["1", "2"], every=2))
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", sampled(RECURRENT[::-1], every=2))
def test_steps_and_sequence(name: str, backend: str, layers: str) -> None:
    """Step by step and as a sequence the embeddings are the same, across a beginning in the middle, and so are gradients."""
    options = {"recurrent_backend": backend, "num_layers": int(layers)}
    if "recurrent_backend" not in parameters(getattr(modules, name)):
        if backend == "scan":
            raise Unverified(f"{name} has no backends")
        del options["recurrent_backend"]
        options["python_based"] = backend == "auto"
    module, data = recurrent(name, **options), sequence(name, int(layers))
    steps = stepped(module, data)
    with recurrent_mode(True):
        whole = module(data.clone())["embed"]
    assert torch.allclose(steps, whole, atol=1e-4), f"they differ by {float((steps - whole).abs().max()):.3g}"
    gradients = [torch.autograd.grad(one.sin().sum(), list(module.parameters())) for one in (steps, whole)]
    for key, first, second in zip(dict(module.named_parameters()), *gradients):
        assert torch.allclose(first, second, atol=1e-3), f"the gradients of {key} differ"


@pytest.mark.parametrize("name", [name for name in ("LSTM", "GRU") if hasattr(modules, name)])
def test_like_torch(name: str) -> None:
    """The recurrent networks written in Python give what torch's own give with the same parameters."""
    ours = getattr(modules, name)(input_size=3, hidden_size=4, num_layers=2, batch_first=True)
    torchs = getattr(nn, name)(input_size=3, hidden_size=4, num_layers=2, batch_first=True)
    ours.load_state_dict(torchs.state_dict())
    values = torch.randn(2, 5, 3)
    for first, second in zip(leaves(ours(values)), leaves(torchs(values))):
        assert torch.allclose(first, second, atol=1e-4), "outputs differ"


def states(batch: tuple[int, ...] = (2,)) -> TensorDict:
    """Observations of a batch."""
    return TensorDict({"observation": torch.randn(*batch, OBSERVATION)}, batch_size=batch)


SPACES = {
    "one-hot": lambda: specs.OneHot(4, dtype=torch.long),
    "one-hot-bool": lambda: specs.OneHot(4),
    "categorical": lambda: specs.Categorical(4),
    "multi-one-hot": lambda: specs.MultiOneHot([2, 3], dtype=torch.long),
}


@pytest.mark.parametrize("space", SPACES)
def test_greedy_actor(space: str) -> None:
    """A QValueActor takes the action of the highest value, in its spec, and gives that value, whatever the batch."""
    spec = SPACES[space]()
    several = space == "multi-one-hot"
    network = TensorDictModule(Joined(OBSERVATION, 5 if several else 4), ["observation"], ["action_value"])
    options = {"action_space": "mult-one-hot", "var_nums": [2, 3]} if several else {"spec": spec}
    actor = modules.SafeSequential(network, modules.QValueModule(**options))
    for batch in ((), (2,), (2, 3)):
        output = actor(states(batch))
        action, table, chosen = output["action"], output["action_value"], output["chosen_action_value"]
        assert spec.is_in(action) if not batch else specs_hold(spec, action), f"the action {action} is not in {spec}"
        index = action if space == "categorical" else None
        given = table.gather(-1, index.unsqueeze(-1)).squeeze(-1) if index is not None else (table * action).sum(-1)
        assert torch.allclose(chosen.squeeze(-1), given, atol=1e-5), f"the value of the action is {given}, not {chosen}"
        if not several:
            assert torch.allclose(given, table.max(-1)[0]), "another action has a higher value"


def specs_hold(spec: Any, value: torch.Tensor) -> bool:
    """Whether every row of a batch is in a spec."""
    return all(spec.is_in(one) for one in value.reshape(-1, *spec.shape))


@pytest.mark.parametrize("space", ["one-hot", "categorical"])
def test_masked_greedy_actor(space: str) -> None:
    """A QValueActor never takes an action that the mask forbids."""
    actor = modules.QValueActor(
        Joined(OBSERVATION, 4), in_keys=["observation"], spec=SPACES[space](), action_mask_key="mask"
    )
    data = states((16,)).set("mask", torch.tensor([True, False, True, False]).expand(16, 4))
    action = actor(data)["action"]
    index = action.argmax(-1) if space == "one-hot" else action
    assert not bool((index % 2).any()), f"forbidden actions are taken: {index}"


@pytest.mark.parametrize("kind", ["random", "deterministic"])
def test_probabilistic_actor(kind: str) -> None:
    """A ProbabilisticActor writes its declared keys, an action in its spec and the log-probability of that action."""
    actor = gaussian()
    mode = ExplorationType.RANDOM if kind == "random" else ExplorationType.DETERMINISTIC
    for batch in ((), (2,), (2, 3)):
        with set_exploration_type(mode):
            output = actor(states(batch))
        missing = [key for key in actor.out_keys if key not in output.keys(True)]
        assert not missing, f"{missing} are declared and not written"
        assert specs_hold(bounded(), output["action"]), f"the action {output['action']} is out of bounds"
        key = next(key for key in actor.out_keys if "log_prob" in str(key))
        wanted = actor.get_dist(output).log_prob(output["action"])
        assert output[key].shape == batch, f"{key} has shape {tuple(output[key].shape)}"
        assert torch.allclose(output[key], wanted, atol=1e-3), f"{key} is {output[key]}, not {wanted}"


def test_actor_value_operator() -> None:
    """The policy and the value of an operator with a common part give alone what they give together."""
    common = TensorDictModule(Joined(OBSERVATION, 3), in_keys=["observation"], out_keys=["hidden"])
    policy = modules.Actor(Joined(3, ACTION), in_keys=["hidden"], out_keys=["action"], spec=bounded())
    value = modules.ValueOperator(Joined(3, 1), in_keys=["hidden"])
    operator = modules.ActorValueOperator(common, policy, value)
    together = operator(states())
    data = states().update(together.select("observation"))
    assert torch.allclose(operator.get_policy_operator()(data.clone())["action"], together["action"])
    assert torch.allclose(operator.get_value_operator()(data.clone())["state_value"], together["state_value"])


EXPLORATION = [
    name
    for name in ("EGreedyModule", "AdditiveGaussianModule", "OrnsteinUhlenbeckProcessModule")
    if hasattr(modules, name)
]


@pytest.mark.parametrize("name", EXPLORATION)
def test_exploration(name: str) -> None:
    """Exploration changes actions and stays within the spec; where nothing is to be random it changes nothing; it anneals."""
    spec = specs.OneHot(4, dtype=torch.long) if name == "EGreedyModule" else bounded()
    module = getattr(modules, name)(
        spec=spec, annealing_num_steps=10, **({"safe": True} if name != "EGreedyModule" else {})
    )
    start = spec.zero((64,)) if name != "EGreedyModule" else nn.functional.one_hot(torch.zeros(64, dtype=torch.long), 4)
    data = TensorDict({"action": start.clone(), "is_init": torch.ones(64, 1, dtype=torch.bool)}, batch_size=[64])
    with set_exploration_type(ExplorationType.RANDOM):
        explored = module(module(data.clone()))["action"]
    assert explored.shape == start.shape, f"the action has shape {tuple(explored.shape)}"
    assert specs_hold(spec, explored), "an explored action is not in the spec"
    assert not torch.equal(explored, start), "no action is explored"
    with set_exploration_type(ExplorationType.DETERMINISTIC):
        assert torch.equal(module(data.clone())["action"], start), "an action is changed where nothing is to be random"
    field = "sigma" if name == "AdditiveGaussianModule" else "eps"
    before = float(getattr(module, field))
    module.step(10)
    after, end = float(getattr(module, field)), float(getattr(module, f"{field}_end"))
    assert after < before and abs(after - end) < 1e-5, f"{field} is {after} after all steps of annealing, not {end}"


VALUE_TRANSFORMS = classes(modules.ValueTransform, "torchrl.modules") if hasattr(modules, "ValueTransform") else {}
VALUE_NORMS = classes(modules.ValueNorm, "torchrl.modules") if hasattr(modules, "ValueNorm") else {}


@pytest.mark.needs("torchrl.modules.ValueTransform")
@pytest.mark.parametrize(
    "name", [name for name, cls in VALUE_TRANSFORMS.items() if not inspect.isabstract(cls) and name != "ValueTransform"]
)
def test_value_transform(name: str) -> None:
    """The inverse of a value transform undoes it."""
    made = VALUE_TRANSFORMS[name](*([modules.SymLogValueTransform()] if "Compose" in name else []))
    values = torch.linspace(-20, 20, 41)
    back = made.inverse(made(values))
    assert torch.allclose(back, values, rtol=1e-3, atol=1e-3), f"{values} comes back as {back}"


@pytest.mark.needs("torchrl.modules.ValueNorm")
@pytest.mark.parametrize("name", [name for name in VALUE_NORMS if name != "ValueNorm"])
def test_value_norm(name: str) -> None:
    """A value norm undoes what it does, and, after it has seen values, centres or scales them."""
    made = VALUE_NORMS[name](shape=1)
    values = torch.randn(500, 1) * 5 + 3
    for _ in range(300):
        made.update(values)
    back = made.denormalize(made.normalize(values))
    assert torch.allclose(back, values, atol=1e-3), "values do not come back"
    assert float(made.normalize(values).std()) < float(values.std()), "values are not scaled"


def test_vmap_module() -> None:
    """A module under vmap gives what it gives in a loop."""
    inner = TensorDictModule(nn.Linear(OBSERVATION, 2), in_keys=["observation"], out_keys=["out"])
    data = states((3, 2))
    given = modules.VmapModule(inner, 0)(data.clone())["out"]
    assert torch.allclose(given, inner(data.clone())["out"], atol=1e-5)


def test_tanh_module() -> None:
    """A TanhModule keeps actions within the bounds of its spec."""
    spec = specs.Bounded(-2, 3, (ACTION,))
    made = modules.TanhModule(in_keys=["action"], spec=spec)
    action = made(TensorDict({"action": torch.randn(5, ACTION) * 10}, batch_size=[5]))["action"]
    assert specs_hold(spec, action), f"{action} is out of bounds"


@pytest.mark.tier("gpu")
@pytest.mark.limit(300)
@pytest.mark.needs("cuda", "triton", "torchrl.modules.set_recurrent_mode")
@pytest.mark.parametrize("hidden", ["16", "64"])
@pytest.mark.parametrize("name", RECURRENT)
def test_triton(name: str, hidden: str) -> None:
    """The Triton kernels give what torch's own give, and the same gradients, across a beginning in the middle."""
    if "recurrent_backend" not in parameters(getattr(modules, name)):
        raise Unverified(f"{name} has no backends")
    data = sequence(name, 1).to("cuda")
    outputs, gradients = [], []
    for backend in ("pad", "triton"):
        module = recurrent(name, recurrent_backend=backend, hidden_size=int(hidden)).to("cuda")
        with recurrent_mode(True):
            output = module(data.clone())["embed"]
        outputs.append(output)
        gradients.append(torch.autograd.grad(output.sin().sum(), list(module.parameters())))
    assert torch.allclose(*outputs, atol=1e-2), f"they differ by {float((outputs[0] - outputs[1]).abs().max()):.3g}"
    for first, second in zip(*gradients):
        assert torch.allclose(first, second, atol=5e-2), (
            f"gradients differ by {float((first - second).abs().max()):.3g}"
        )
