"""What doctor makes of environments that are not as they should be."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from torchrl_preflight.checks import machine

from .conftest import Outcome, Site

Smoke = Callable[..., Outcome]

# An interpreter that finds neither hydra nor omegaconf, as one in which they were never installed.
HIDING = """
import importlib.machinery as machinery
found = machinery.PathFinder.find_spec
def find_spec(name, path=None, target=None):
    return None if name.split(".")[0] in ("hydra", "omegaconf") else found(name, path, target)
machinery.PathFinder.find_spec = staticmethod(find_spec)
"""


def test_the_environment_of_these_tests_is_healthy(smoke: Smoke) -> None:
    done = smoke("doctor", "--steps", "2", "--check-cli", "--format", "json")
    assert done.status == 0, [check for check in done.json["checks"] if check["status"] == "failed"]
    passed = {name for name, check in done.checks.items() if check["status"] == "passed"}
    assert passed >= {
        f"doctor/{name}"
        for name in (
            "requirements/torch", "requirements/tensordict", "requirements/torchrl", "requirements/others", "copies",
            "provenance", "import", "extension", "start_methods", "shared_memory", "rollout", "replay", "rlrender",
            "surface/torchrl.trainers", "surface/torchrl.render", "backend/hydra-core",
        )
    }  # fmt: skip
    assert done.checks["doctor/rollout"]["reason"] == "PendulumEnv, 2 steps"
    for check in done.json["checks"]:
        assert check["status"] == "passed" or (check["status"], bool(check["reason"])) == ("unverified", True), check
    assert done.json["environment"]["extension"] == "loads"
    assert done.json["environment"]["start_method"] in ("fork", "forkserver", "spawn")


def test_a_version_out_of_range_is_named_with_its_remedy(site: Site, smoke: Smoke) -> None:
    site.trio()
    (site.folder / "tensordict-0.12.1.dist-info").rename(site.folder / "tensordict-0.9.1.dist-info")
    metadata = site.folder / "tensordict-0.9.1.dist-info" / "METADATA"
    metadata.write_text("Metadata-Version: 2.1\nName: tensordict\nVersion: 0.9.1\nRequires-Dist: torch>=2.1\n")
    check = smoke("doctor", "--format", "json").checks["doctor/requirements/torchrl"]
    assert check["status"] == "failed"
    assert check["reason"] == "torchrl 0.12.0 declares tensordict<0.13,>=0.12, and tensordict 0.9.1 is installed"
    assert check["hint"] == "pip install 'tensordict<0.13,>=0.12'"


def test_what_was_never_installed_is_named(site: Site, smoke: Smoke) -> None:
    """As after ``pip install --no-deps``; requirements of other platforms and of extras do not count."""
    site.package("torch", "2.9.0", ["no-such-library==13.*", 'other; sys_platform == "never"', 'more; extra == "opt"'])
    check = smoke("doctor", "--format", "json").checks["doctor/requirements/torch"]
    assert check["reason"] == "torch 2.9.0 declares no-such-library==13.*, and no-such-library is not installed"
    assert check["hint"] == "pip install 'no-such-library==13.*'"


def test_a_wrong_tensordict_under_the_real_torchrl(site: Site, smoke: Smoke) -> None:
    """The run is blocked by the environment, not failed by torchrl, and says by what; doctor says the same."""
    site.package("tensordict", "0.9.1")
    done = smoke("--format", "json")
    assert (done.status, done.checks["envs"]["status"]) == (3, "blocked")
    assert done.checks["envs"]["reason"].startswith("torchrl cannot be imported: ImportError: ")
    assert "and tensordict 0.9.1 is installed" in done.checks["envs"]["reason"]
    assert done.checks["envs"]["hint"].startswith("pip install 'tensordict<")

    doctor = smoke("doctor", "--format", "json")
    assert doctor.status == 1
    assert doctor.json["environment"]["tensordict"] == "0.9.1"
    failed = [name for name, check in doctor.checks.items() if check["status"] == "failed"]
    assert failed == ["doctor/requirements/torchrl", "doctor/import"]
    for name in ("extension", "cuda", "rollout", "replay", "shared_memory", "surface/torchrl.render"):
        assert doctor.checks[f"doctor/{name}"]["status"] == "blocked", name


def test_a_crash_while_importing_is_told(site: Site, smoke: Smoke) -> None:
    site.trio(envs="import os; os.abort()")
    done = smoke("doctor", "--format", "json")
    assert done.status == 1
    assert done.checks["doctor/requirements/torchrl"]["status"] == "passed"
    assert done.checks["doctor/import"]["reason"].startswith("its process was ended by SIGABRT")


def test_a_source_tree_that_shadows_the_wheel(
    tmp_path: Path, smoke: Smoke, monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    """In a checkout, the checkout is what is imported: its version, its requirements, its missing extension."""
    site.trio()
    checkout = Site(tmp_path / "rl")
    parts = {f"{part}.py": "" for part in ("data", "envs", "modules", "collectors", "objectives")}
    checkout.package("torchrl", files=parts)
    (checkout.folder / "version.txt").write_text("0.99.0\n")
    (checkout.folder / "pyproject.toml").write_text(
        '[project]\nname = "torchrl"\ndependencies = ["tensordict>=0.98"]\n'
    )
    monkeypatch.chdir(checkout.folder)
    done = smoke("doctor", "--format", "json")
    assert done.status == 1
    environment = done.json["environment"]
    assert (environment["torchrl"], environment["torchrl_file"]) == (
        "0.99.0",
        str(checkout.folder / "torchrl" / "__init__.py"),
    )
    copies = done.checks["doctor/copies"]
    assert copies["status"] == "failed"
    assert copies["reason"].startswith(
        f"the source tree {checkout.folder}/torchrl is imported and shadows {site.folder}/torchrl"
    )
    required = done.checks["doctor/requirements/torchrl"]["reason"]
    assert required == "torchrl 0.99.0 declares tensordict>=0.98, and tensordict 0.12.1 is installed"
    extension = done.checks["doctor/extension"]
    assert extension["status"] == "unverified"
    assert extension["reason"] == f"{checkout.folder}/torchrl (source tree, not built) has no C++ extension"
    assert extension["hint"].endswith(f"pip install --no-deps --no-build-isolation -e {checkout.folder}")


def test_two_installed_copies(copied: Path, smoke: Smoke) -> None:
    check = smoke("doctor", "--format", "json").checks["doctor/copies"]
    assert check["status"] == "failed"
    assert check["reason"].startswith(f"the copy {copied} is imported and shadows ")


def test_an_editable_install_is_one_copy(site: Site, tmp_path: Path, smoke: Smoke) -> None:
    """Its metadata lies elsewhere and describes the checkout that it points to."""
    site.trio()
    tree = tmp_path / "tree"
    tree.mkdir()
    (site.folder / "torchrl").rename(tree / "torchrl")
    (tree / "pyproject.toml").write_text("[project]\n")
    (site.folder / "torchrl-0.12.0.dist-info" / "direct_url.json").write_text(
        f'{{"url": "{tree.as_uri()}", "dir_info": {{"editable": true}}}}'
    )
    (site.folder / "sitecustomize.py").write_text(f"import sys\nsys.path.insert(1, {str(tree)!r})\n")
    done = smoke("doctor", "--format", "json")
    assert done.json["environment"]["torchrl"] == "0.12.0"
    assert done.json["environment"]["torchrl_file"] == str(tree / "torchrl" / "__init__.py")
    assert done.checks["doctor/requirements/torchrl"]["reason"] == "torchrl 0.12.0"


def test_a_copy_that_nothing_describes(site: Site, smoke: Smoke) -> None:
    site.trio()
    for file in (site.folder / "torchrl-0.12.0.dist-info").iterdir():
        file.unlink()
    (site.folder / "torchrl-0.12.0.dist-info").rmdir()
    done = smoke("doctor", "--format", "json")
    assert done.json["environment"]["torchrl"] is None
    assert done.checks["doctor/requirements/torchrl"]["status"] == "unverified"


def test_text_and_markdown_hold_the_same_checks(site: Site, smoke: Smoke) -> None:
    site.trio()
    ids = list(smoke("doctor", "--format", "json").checks)
    text = smoke("doctor").out
    assert [line.split()[1] for line in text.splitlines() if " doctor/" in line] == ids
    table = smoke("--format", "markdown", "doctor").out
    assert [line.split("`")[1] for line in table.splitlines() if "`doctor/" in line] == ids


def test_a_requirement_of_a_neighbour_counts(site: Site, smoke: Smoke) -> None:
    """An optional package that is here in a version that something else here does not take."""
    site.trio()
    site.package("vmas", "1.5.0", ["pyglet<1.6"])
    site.package("pyglet", "2.0.0")
    check = smoke("doctor", "--format", "json").checks["doctor/requirements/others"]
    assert check["status"] == "failed"
    assert "vmas 1.5.0 declares pyglet<1.6, and pyglet 2.0.0 is installed" in check["reason"]


def test_a_version_that_is_itself_a_trouble(site: Site, smoke: Smoke) -> None:
    site.trio()
    site.package("gymnasium", "1.0.0")
    done = smoke("doctor", "--format", "json")
    known = done.checks["doctor/known/gymnasium-1.0"]
    assert known["status"] == "failed"
    assert known["reason"].startswith("gymnasium 1.0.0: ")
    assert known["hint"] == "pip install 'gymnasium>=1.1', or 'gymnasium<1.0'"
    assert done.checks["doctor/backend/gymnasium"]["reason"] == "gymnasium 1.0.0"


def test_an_extension_that_is_missing(copied: Path, smoke: Smoke) -> None:
    """Everything that does not need it goes on."""
    for file in copied.glob("_torchrl*.so"):
        file.unlink()
    done = smoke("doctor", "--format", "json")
    extension = done.checks["doctor/extension"]
    assert extension["status"] == "failed"
    assert extension["reason"] == f"{copied} (installed copy) has no C++ extension"
    assert "--no-build-isolation" in extension["hint"]
    assert done.checks["doctor/rollout"]["status"] == "passed"


def test_without_hydra(site: Site, smoke: Smoke) -> None:
    """What needs it is unverified and says how to get it; nothing fails."""
    (site.folder / "sitecustomize.py").write_text(HIDING)
    done = smoke("doctor", "--format", "json")
    trainers = done.checks["doctor/surface/torchrl.trainers.algorithms.configs"]
    assert trainers["status"] == "unverified"
    assert "hydra-core" in trainers["hint"]
    assert [name for name, check in done.checks.items() if check["status"] == "failed"] == []


def test_provenance_of_a_checkout(tmp_path: Path, smoke: Smoke, monkeypatch: pytest.MonkeyPatch, site: Site) -> None:
    site.trio()
    checkout = Site(tmp_path / "rl")
    checkout.package(
        "torchrl", files={f"{part}.py": "" for part in ("data", "envs", "modules", "collectors", "objectives")}
    )
    (checkout.folder / "version.txt").write_text("0.99.0\n")
    (checkout.folder / "pyproject.toml").write_text('[project]\nname = "torchrl"\n')
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = {f"GIT_{role}_{key}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"], ["tag", "v0.99.0"]):
        subprocess.run(["git", *words], cwd=checkout.folder, env={**os.environ, **alone, **who}, check=True)
    (checkout.folder / "torchrl" / "data.py").write_text("new = 1\n")
    monkeypatch.chdir(checkout.folder)
    said = smoke("doctor", "--format", "json").checks["doctor/provenance"]
    assert said["status"] == "passed"
    assert "(v0.99.0), 1 files differ from it (torchrl/data.py), version.txt 0.99.0" in said["reason"]


def test_start_methods_are_tried() -> None:
    tried = machine.start_methods()
    assert set(tried) == set(multiprocessing.get_all_start_methods())
    assert set(tried.values()) == {""}


def test_shared_memory_of_a_platform_without_it(tmp_path: Path) -> None:
    assert machine.shared_memory(str(tmp_path / "none")) is None
    free = machine.shared_memory(str(tmp_path))
    assert free is not None
    assert free > 0


def test_a_cache_that_cannot_be_written_changes_nothing(
    smoke: Smoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usual = smoke("--area", "envs", "--format", "json")
    blocked = tmp_path / "file"
    blocked.write_text("")
    for name in ("HOME", "XDG_CACHE_HOME", "TRITON_CACHE_DIR"):
        monkeypatch.setenv(name, str(blocked / "below"))
    done = smoke("areas", "ParallelEnv", "--format", "json")
    assert (done.status, done.err) == (0, "")
    assert done.json["answers"][0]["areas"] == ["envs", "specs"]
    without = smoke("--area", "envs", "--format", "json")
    assert without.status == usual.status
    assert {it["id"]: it["status"] for it in without.json["checks"]} == {
        it["id"]: it["status"] for it in usual.json["checks"]
    }
    # torch itself wants this one when it is imported
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(blocked / "below"))
    done = smoke("--area", "envs", "--format", "json")
    assert (done.status, done.checks["envs"]["status"]) == (3, "blocked")
    assert "NotADirectoryError" in done.checks["envs"]["reason"]
    assert done.checks["envs"]["hint"].startswith("Let TORCHINDUCTOR_CACHE_DIR, ")
