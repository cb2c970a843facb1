"""What the rules say of the installed torchrl's Configs, against what Hydra does with them."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from torchrl_preflight.hooks.project import Project
from torchrl_preflight.hooks.project.configs import configs
from torchrl_preflight.hooks.project.parity import differences
from torchrl_preflight.hooks.run import Options, open_project

# Instantiates every Config without overrides; what has no default gets None, and partials are called.
_INSTANTIATE = """
import dataclasses, importlib, json, pkgutil, sys, warnings
import torchrl.trainers.algorithms.configs as package
from hydra.utils import instantiate
from omegaconf import OmegaConf

warnings.simplefilter("ignore")
outcomes = {}
if __name__ == "__main__":
    for info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        for name, cls in vars(importlib.import_module(info.name)).items():
            if not (isinstance(cls, type) and dataclasses.is_dataclass(cls) and cls.__module__ == info.name):
                continue
            fields = dataclasses.fields(cls)
            if not any(field.name == "_target_" for field in fields):
                continue
            values = {field.name: None for field in fields}
            for field in fields:
                if field.default is not dataclasses.MISSING:
                    values[field.name] = None if field.default == "???" else field.default
                elif field.default_factory is not dataclasses.MISSING:
                    values[field.name] = OmegaConf.structured(field.default_factory) if isinstance(field.default_factory, type) \\
                        and dataclasses.is_dataclass(field.default_factory) else field.default_factory()
            try:
                instantiate(OmegaConf.create({**values, "_partial_": False}, flags={"allow_objects": True}))
                outcomes[name] = "made"
            except BaseException as error:
                outcomes[name] = str(error)
    with open(sys.argv[1], "w") as stream:
        json.dump(outcomes, stream)
"""


@pytest.fixture(scope="module")
def installed() -> Project:
    """The installed torchrl as a plain folder without git."""
    folder = Path(importlib.util.find_spec("torchrl").origin).parents[1]
    project, _, _ = open_project(Options(repo=str(folder), package="torchrl", cache=False))
    return project


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Config -> what Hydra says when it is instantiated."""
    folder = tmp_path_factory.mktemp("instantiated")
    script = folder / "instantiate_all.py"
    script.write_text(_INSTANTIATE)
    done = subprocess.run(
        [sys.executable, script, folder / "outcomes.json"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads((folder / "outcomes.json").read_text())


def _refused(project: Project) -> dict[str, set[str]]:
    """Config -> fields that the class behind it does not take on the way without overrides."""
    found: dict[str, set[str]] = {}
    for config in configs(project):
        for item in differences(project, config):
            if (
                item.kind == "unknown"
                and re.search(r"takes no \w+|which no keyword reaches", item.message)
                and "defaults" in item.message
            ):
                found.setdefault(config.name, set()).add(item.name)
    return found


def test_every_config_is_seen(installed: Project, outcomes: dict[str, str]) -> None:
    assert {config.name for config in configs(installed) if config.target} == set(outcomes)


def test_unexpected_keywords_are_predicted_none_missed_and_none_invented(
    installed: Project, outcomes: dict[str, str]
) -> None:
    predicted = _refused(installed)
    unexpected = {
        name: match[1]
        for name, said in outcomes.items()
        if (match := re.search(r"unexpected keyword argument .?'(\w+)", said))
    }
    assert set(predicted) == set(unexpected)
    assert {name: key for name, key in unexpected.items() if key not in predicted[name]} == {}


def test_what_is_made_has_no_field_that_is_refused(installed: Project, outcomes: dict[str, str]) -> None:
    made = {name for name, said in outcomes.items() if said == "made"}
    assert len(made) > 50
    assert (
        made
        & {
            config.name
            for config in configs(installed)
            for item in differences(installed, config)
            if item.kind == "unknown" and "defaults" in item.message
        }
        == set()
    )
