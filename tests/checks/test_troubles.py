"""The tables behind doctor and the hints: held against torchrl's metadata, and against real exceptions."""

from __future__ import annotations

import importlib.metadata
import json
import multiprocessing
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from torchrl_preflight.checks import run
from torchrl_preflight.checks.backends import backend, backends, extras
from torchrl_preflight.checks.installed import install
from torchrl_preflight.checks.routes import subjects
from torchrl_preflight.checks.troubles import hint, troubles

from .conftest import Outcome, Site

ROOT = Path(__file__).parents[2]
Smoke = Callable[..., Outcome]


def raised(body: Callable[[], object]) -> BaseException:
    """What a function raises."""
    with pytest.raises(BaseException) as caught:
        body()
    return caught.value


def known(error: BaseException) -> str | None:
    """Name of the trouble that an exception is taken for."""
    words = hint(error)
    return next((it.name for it in troubles() if it.hint == words), None)


# the tables


@pytest.mark.parametrize(
    ("topic", "page"), [("backends", "backends"), ("extras", "extras"), ("troubles", "troubleshooting")]
)
def test_pages_are_what_the_command_prints(smoke: Smoke, topic: str, page: str) -> None:
    """Repair: torchrl-smoke explain TOPIC --format markdown > docs/PAGE.md."""
    done = smoke("explain", topic, "--format", "markdown")
    assert (ROOT / "docs" / f"{page}.md").read_text() == done.out
    rows = smoke("explain", topic, "--format", "json").json[topic]
    assert len(rows) == sum(line.startswith("| `") for line in done.out.splitlines())
    assert len(smoke("explain", topic).out.splitlines()) > len(rows)


def test_extras_are_those_that_torchrl_declares() -> None:
    it = importlib.metadata.distribution("torchrl")
    declared: dict[str, set[str]] = {name: set() for name in it.metadata.get_all("Provides-Extra")}
    for need in map(Requirement, it.requires or []):
        for name in declared:
            if need.marker and f'extra == "{name}"' in str(need.marker):
                words = f"[{','.join(sorted(need.extras))}]" if need.extras else ""
                declared[name].add(f"{need.name}{words}{need.specifier}")
    assert {canonicalize_name(it.name): set(it.brings) for it in extras()} == declared


def test_a_package_comes_with_the_extra_that_its_row_names() -> None:
    brings = {it.name: {canonicalize_name(Requirement(need).name) for need in it.brings} for it in extras()}
    brings["atari"].add("ale-py")  # gymnasium[atari] brings it
    for row in backends():
        assert bool(row.extra) != bool(row.install), row.name
        if row.extra:
            assert canonicalize_name(row.distribution) in brings[row.extra], row.name
        assert set(row.areas) <= {it.area for it in subjects()}, row.name


def test_the_narrow_way_to_install() -> None:
    assert backend("hydra") is backend("hydra-core") is backend("Hydra_Core")
    assert install("vmas") == "pip install 'torchrl[marl]'"
    assert install("pyspiel") == "pip install 'torchrl[open_spiel]'"
    assert install("hydra") == "pip install 'hydra-core<1.4,>=1.3'"  # in the range that torchrl declares
    assert install("gymnasium") == "pip install gymnasium"  # torchrl's extras disagree about it
    assert install("never-heard-of") == "pip install never-heard-of"


def test_troubles_say_what_to_do() -> None:
    names = [it.name for it in troubles()]
    assert len(set(names)) == len(names) >= 30
    for it in troubles():
        assert it.errors or it.any or it.all, it.name
        assert it.cause.endswith("."), it.name
        assert it.remedy and not it.remedy.endswith("."), it.name
        if it.installed:
            assert Requirement(it.installed).specifier


# real exceptions


def test_a_lambda_sent_to_a_worker() -> None:
    def start() -> None:
        multiprocessing.get_context("spawn").Process(target=lambda: None).start()

    assert known(raised(start)) == "not-picklable"


def test_a_gpu_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import torch; torch.zeros(1, device='cuda')"],
        capture_output=True,
        text=True,
        env={"PATH": "", "CUDA_VISIBLE_DEVICES": ""},
    )
    assert done.returncode == 1
    assert known(RuntimeError(done.stderr)) == "no-gpu"


def test_an_extension_for_another_torch(tmp_path: Path) -> None:
    """As the loader says it: here of a library that needs a symbol which nobody has."""
    text = "/lib/torchrl/_torchrl.so: undefined symbol: _ZN3c108ListType3getERKNSt7__cxx1112basic_string"
    assert known(ImportError(text)) == "extension-undefined-symbol"


def test_set_keys_with_the_key_of_the_data() -> None:
    from torchrl.modules import QValueActor
    from torchrl.objectives import DQNLoss

    actor = QValueActor(torch.nn.Linear(3, 2), in_keys=["observation"], action_space="one-hot")
    loss = DQNLoss(actor, action_space="one-hot")
    assert known(raised(lambda: loss.set_keys(my_action="action"))) == "set-keys"


def test_a_loss_without_its_key() -> None:
    from tensordict import TensorDict
    from torchrl.modules import QValueActor
    from torchrl.objectives import DQNLoss

    actor = QValueActor(torch.nn.Linear(3, 2), in_keys=["observation"], action_space="one-hot")
    loss = DQNLoss(actor, action_space="one-hot")
    loss.make_value_estimator()
    error = raised(lambda: loss(TensorDict({"observation": torch.zeros(4, 3)}, [4])))
    assert known(error) in ("loss-key-error", "loss-key-missing")


def test_a_value_estimator_that_a_loss_has_not() -> None:
    from torchrl.modules import QValueActor
    from torchrl.objectives import DQNLoss, ValueEstimators

    actor = QValueActor(torch.nn.Linear(3, 2), in_keys=["observation"], action_space="one-hot")
    loss = DQNLoss(actor, action_space="one-hot")
    assert known(raised(lambda: loss.make_value_estimator(ValueEstimators.GAE))) == "value-estimator"


def test_an_environment_that_breaks_its_spec() -> None:
    from torchrl.data import Bounded
    from torchrl.envs import PendulumEnv, check_env_specs

    env = PendulumEnv()
    env.set_spec_lock_(False)
    env.observation_spec["th"] = Bounded(-9, 9, shape=(3,))
    assert known(raised(lambda: check_env_specs(env))) == "spec-mismatch"


def test_what_is_optional_and_missing() -> None:
    error = ModuleNotFoundError("No module named 'vmas'", name="vmas")
    assert hint(error) == "pip install 'torchrl[marl]' (VmasEnv needs it)"
    assert hint(ModuleNotFoundError("No module named 'zzz'", name="zzz")) == ""


def test_what_it_was_raised_from_speaks_first() -> None:
    def body() -> None:
        try:
            raise OSError("No space left on device")
        except OSError as error:
            raise RuntimeError("a worker failed to initialize") from error

    assert known(raised(body)) == "shared-memory"
    assert known(ValueError("something else")) is None


def test_a_failing_check_has_the_hint(tmp_path: Path, site: Site) -> None:
    site.trio()
    (tmp_path / "hinted.py").write_text(
        "def test_it():\n    raise OSError('No space left on device')\ndef test_other():\n    raise ValueError('new')\n"
    )
    one, other = run.run([tmp_path / "hinted.py"]).checks
    assert one.hint.startswith("Give it more (docker run --shm-size=4g)")
    assert other.hint == ""


def test_json_of_the_tables(smoke: Smoke) -> None:
    rows = json.loads(smoke("--format", "json", "explain", "backends").out)["backends"]
    assert rows[0] == {
        "package": "gymnasium",
        "for": "GymEnv and every environment that is registered with gymnasium",
        "areas": "envs",
        "install": "pip install gymnasium",
    }
