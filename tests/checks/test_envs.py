"""The environments area against a torchrl with faults, and its table against the classes there are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from torchrl_preflight.checks.areas import FOLDER
from torchrl_preflight.checks.table import load

from .conftest import Outcome

TABLE = load(str(FOLDER / "envs.py"))


def test_faults_of_a_real_torchrl_are_found(copied: Path, smoke: Callable[..., Outcome]) -> None:
    """One copy with: a new unguarded import, an old one repaired, an extension for another torch, a broken environment."""
    (copied / "envs" / "brand_new.py").write_text("import no_such_package\n")
    (copied / "testing" / "dist_utils.py").write_text("")
    (library,) = copied.glob("_torchrl*.so")
    built = library.read_bytes()
    symbol = re.search(rb"_ZN3c106detail14torchCheckFail\w+", built)
    assert symbol
    library.write_bytes(built.replace(symbol[0], symbol[0][:-1] + b"!"))
    mocks = copied / "testing" / "mocking_classes.py"
    code = mocks.read_text()
    mocks.write_text(f"{code}\n\nMultiAgentCountingEnv._reset = lambda self, *_, **__: TensorDict()\n")
    pendulum = copied / "envs" / "custom" / "pendulum.py"
    pendulum.write_text(pendulum.read_text().replace('"thdot": new_thdot', '"thdot": new_thdot.double()'))

    done = smoke("--area", "envs", "--require", "ext", "--format", "json")
    assert done.status == 1  # a failure, though what was asked for is missing too
    failed = {name: check for name, check in done.checks.items() if check["status"] == "failed"}
    assert set(failed) == {
        "envs/imports",
        "envs/extension",
        "envs/pendulum_specs",
        "envs/mocking_env/MultiAgentCountingEnv",
    }
    assert re.fullmatch(
        r"1 of \d+ modules cannot be imported: "
        r"torchrl.envs.brand_new: ModuleNotFoundError: No module named 'no_such_package'",
        failed["envs/imports"]["reason"],
    )
    assert "built for another torch than the installed" in failed["envs/extension"]["reason"]
    assert "undefined symbol _ZN3c106detail14torchCheckFail" in failed["envs/extension"]["reason"]
    assert "pip install --no-deps --no-build-isolation" in failed["envs/extension"]["hint"]
    assert "reset does not return" in failed["envs/mocking_env/MultiAgentCountingEnv"]["reason"]
    assert done.checks["require/ext"]["status"] == "unverified"
    repaired = done.checks["envs/optional_import/psutil"]
    assert repaired["status"] == "passed"
    assert repaired["reason"] == (
        "improved, update the table: torchrl.testing.dist_utils can be imported without psutil"
    )
    assert done.json["environment"]["torchrl_file"] == str(copied / "__init__.py")
    assert done.json["environment"]["extension"] == failed["envs/extension"]["reason"]


def test_every_row_of_the_table_has_a_reason() -> None:
    assert all(
        row["modules"] and row["missing"] and row["install"] and row["reason"] for row in TABLE["imports"].values()
    )
    assert all(row["error"] and row["reason"] for row in TABLE["mocking"].values())


def test_every_row_of_the_table_names_a_class_that_there_is() -> None:
    from torchrl.testing import mocking_classes

    assert [name for name in (*TABLE["mocking"], *TABLE["arguments"]) if not hasattr(mocking_classes, name)] == []
