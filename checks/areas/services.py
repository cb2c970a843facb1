"""Services: what starts them also ends them; clients, registries, weights that are sent."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from ..needs import unmet
from ..outcome import Unverified
from ._public import present

MODULE = present("torchrl.services")


@pytest.mark.needs("torchrl.services.get_services")
def test_registry_by_name() -> None:
    """A registry of an unknown backend is refused, and one whose library is missing names it."""
    with pytest.raises(ValueError, match="nowhere"):
        MODULE.get_services("nowhere")
    if unmet("ray") is None:
        return
    with pytest.raises(ImportError, match="(?i)ray"):
        MODULE.get_services("ray")


@pytest.mark.needs("torchrl.services.ServiceBase")
def test_registry() -> None:
    """What is registered is contained, listed and got, under both spellings, until the registry is reset."""

    class Registry(MODULE.ServiceBase):
        def __init__(self) -> None:
            self.services: dict[str, Any] = {}

        def register(self, name: str, service_factory: type, *args: Any, **kwargs: Any) -> Any:
            self.services[name] = service_factory(*args, **kwargs)
            return self.services[name]

        def get(self, name: str) -> Any:
            return self.services[name]

        def __contains__(self, name: str) -> bool:
            return name in self.services

        def list(self) -> list[str]:
            return sorted(self.services)

        def reset(self) -> None:
            self.services.clear()

        def shutdown(self, *_: Any, **__: Any) -> None:
            self.reset()

    services = Registry()
    services["one"] = dict
    two = services.register("two", dict, a=1)
    assert services.list() == ["one", "two"]
    assert services["two"] is two is services.get("two")
    assert "one" in services and "three" not in services
    services.reset()
    assert services.list() == []


@pytest.mark.tier("optional")
@pytest.mark.limit(240)
@pytest.mark.needs("torchrl.services.get_services", "ray")
def test_ray_registry() -> None:
    """A service that is registered with Ray is found by name from anywhere, and gone after a reset."""
    services = MODULE.get_services(ray_init_config={"num_cpus": 1, "include_dashboard": False}, namespace="smoke")
    try:
        services.register("counter", Counter)
        assert "counter" in services and services.list() == ["counter"]
        import ray

        assert ray.get(services["counter"].add.remote(2)) == 2
        services.reset()
        assert services.list() == []
    finally:
        services.shutdown(raise_on_error=False)


class Counter:
    """Something to be served."""

    def __init__(self) -> None:
        self.value = 0

    def add(self, number: int) -> int:
        """Adds a number and gives the sum."""
        self.value += number
        return self.value


@pytest.mark.needs("torchrl.services.Service", "torchrl.record.loggers.CSVLogger")
def test_logger_is_a_service(tmp_path: Path) -> None:
    """A logger that is started is alive, has a client that can be sent to a process, and ends when it is told to."""
    logger = present("torchrl.record.loggers").CSVLogger("run", log_dir=str(tmp_path))
    assert isinstance(logger, MODULE.Service), "a CSVLogger is no Service"
    service = logger.start()
    assert service is logger and service.is_alive, "it is not alive after its start"
    client = pickle.loads(pickle.dumps(service.client()))
    client.log_scalar("reward", 1.5, step=0)
    service.shutdown()
    written = "".join(file.read_text() for file in tmp_path.rglob("*.csv"))
    assert "1.5" in written, f"the file holds {written!r}"


@pytest.mark.needs("torchrl.weight_update.WeightStrategy")
@pytest.mark.parametrize("form", ["tensordict", "state_dict"])
def test_weights(form: str) -> None:
    """Weights that are extracted and applied elsewhere are the same there, and stay when the sender trains on."""
    strategy = present("torchrl.weight_update").WeightStrategy(extract_as=form)
    sender, receiver = nn.Linear(3, 2), nn.Linear(3, 2)
    strategy.apply_weights(receiver, strategy.extract_weights(sender))
    wanted = sender.weight.detach().clone()
    assert torch.equal(receiver.weight, wanted), "the weights are others"
    sender.weight.data.add_(1)
    assert torch.equal(receiver.weight, wanted), "the receiver's weights change with the sender's"


@pytest.mark.needs("torchrl.modules.inference_server.InferenceServer")
def test_inference_server() -> None:
    """A server of a policy gives every client what the policy gives, and ends when it is told to."""
    module = present("torchrl.modules.inference_server")
    if not hasattr(module, "ThreadingTransport"):
        raise Unverified("this torchrl has no transport between threads")
    from tensordict import TensorDict
    from tensordict.nn import TensorDictModule

    policy = TensorDictModule(nn.Linear(3, 2), in_keys=["observation"], out_keys=["action"])
    transport = module.ThreadingTransport()
    server = module.InferenceServer(policy, transport, max_batch_size=4)
    server.start()
    try:
        clients = [transport.client() for _ in range(2)]
        for client in clients:
            data = TensorDict({"observation": torch.randn(3)})
            action = client(data)["action"]
            assert torch.allclose(action, policy(data.clone())["action"], atol=1e-5), "the action is another"
    finally:
        server.shutdown()
    assert not server.is_alive, "it is alive after it was shut down"
