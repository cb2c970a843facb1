"""The target's configuration: what it may say, what it changes, and how it is told what is wrong."""

from __future__ import annotations

from importlib.resources import files

import pytest
from torchrl_preflight.hooks.profile import _parse, choose, shipped
from torchrl_preflight.hooks.tree import plain_folder


@pytest.fixture
def configure(repo):
    """``configure(text)``: writes ``[tool.torchrl-preflight]`` with this text below its head."""

    def write(text: str, head: str = "[tool.torchrl-preflight]\n"):
        repo.write("pyproject.toml", f'[project]\nname = "torchrl"\n\n{head}{text}\n')
        return repo

    return write


def findings(outcome):
    return [(item["symbol"], item["severity"], item["new"]) for item in outcome.report["findings"]]


def test_the_tree_chooses(tmp_path) -> None:
    assert shipped() == ["pytorch-rl", "tensordict"]
    for package, profile in (("torchrl", "pytorch-rl"), ("tensordict", "tensordict")):
        root = tmp_path / package
        (root / package).mkdir(parents=True)
        (root / package / "__init__.py").touch()
        chosen = choose(plain_folder(root), frozenset())
        assert (chosen.name, chosen["package"], chosen["gpu"]["marker"]) == (profile, package, "gpu")
    (tmp_path / "neither").mkdir()
    assert choose(plain_folder(tmp_path / "neither"), frozenset()) is None


def test_a_tree_that_fits_none_is_a_note(repo, judge) -> None:
    (repo.path / "torchrl/__init__.py").unlink()
    outcome = judge(repo, "--base", "HEAD")
    assert (outcome.status, outcome.found) == (0, [])
    assert outcome.report["notes"] == [
        "no profile fits this tree (it has neither torchrl nor tensordict), so nothing was judged"
    ]


def test_a_profile_by_name_and_a_package_of_another_name(configure, tests, judge) -> None:
    repo = configure('profile = "pytorch-rl"\npackage = "myrl"\n')
    (repo.path / "torchrl").rename(repo.path / "myrl")
    repo.write("test/test_a.py", tests("test_a"))
    assert judge(repo, "--base", "HEAD").symbols == ["test_a"]


def test_every_value_can_be_overridden(configure, tests, judge) -> None:
    repo = configure('tests = "spec"\ngpu.marker = "cuda"\n')
    for path in ("pytest.ini", ".github/unittest/linux/scripts/run_all.sh"):
        file = repo.path / path
        file.write_text(file.read_text().replace("gpu", "cuda").replace("pytest test", "pytest spec"))
    repo.write("spec/test_a.py", tests("test_a"))
    repo.write("test/test_b.py", tests("test_b"))
    outcome = judge(repo, "--base", "HEAD")
    assert outcome.found == [("spec/test_a.py", 8, "gpu-marker-missing")]
    assert "+@pytest.mark.cuda\n" in outcome.report["findings"][0]["edit"]["patch"]


@pytest.mark.parametrize(("severity", "status"), [("error", 1), ("warning", 0), ("advisory", 0)])
def test_a_severity_of_one_s_own(configure, tests, judge, severity, status) -> None:
    repo = configure(f'rules.gpu-marker-missing = "{severity}"\n')
    repo.write("test/test_a.py", tests("test_a"))
    outcome = judge(repo, "--base", "HEAD")
    assert (outcome.status, findings(outcome)) == (status, [("test_a", severity, True)])


def test_a_rule_that_is_off(configure, tests, judge) -> None:
    repo = configure('[tool.torchrl-preflight.rules]\ngpu-marker-missing = "off"\n', head="")
    repo.write("test/test_a.py", tests("test_a"))
    outcome = judge(repo, "--base", "HEAD")
    assert (outcome.status, outcome.found) == (0, [])


def test_enforce_all_judges_everything_always(configure, tests, judge) -> None:
    repo = configure("")
    repo.commit("old", {"test/test_old.py": tests("test_old"), "torchrl/broken.py": "x = (\n"})
    assert judge(repo, "--base", "HEAD").found == []
    configure('enforce-all = ["gpu-marker-missing"]')
    outcome = judge(repo, "--base", "HEAD")
    assert (outcome.status, findings(outcome)) == (1, [("test_old", "error", True)])
    assert outcome.report["findings"][0]["edit"]["safe"] is True


def test_the_judged_tree_s_own_configuration_counts(configure, tests, judge) -> None:
    repo = configure('rules.gpu-marker-missing = "off"')
    off = repo.commit("off", {"test/test_a.py": tests("test_a")})
    configure("")
    assert judge(repo, "--base", "HEAD^").symbols == ["test_a"]
    assert judge(repo, "--ref", off, "--base", f"{off}^").symbols == []
    assert judge(repo, "--staged", "--base", f"{off}^").symbols == []


WAIVER = '[[tool.torchrl-preflight.waivers]]\nrule = "gpu-marker-missing"\nsymbol = "test_a"\n'


def test_a_waiver(configure, tests, judge) -> None:
    repo = configure(WAIVER + 'reason = "runs in a job of its own"\n')
    repo.write("test/test_a.py", tests("test_a", "test_b"))
    assert judge(repo, "--base", "HEAD").symbols == ["test_b"]
    outcome = judge(repo, "--base", "HEAD", "--show-suppressed")
    assert [(item["symbol"], item["suppressed"]) for item in outcome.report["findings"]] == [
        ("test_a", "waiver gpu-marker-missing test_a"),
        ("test_b", None),
    ]


@pytest.mark.parametrize("reason", ["", 'reason = ""', 'reason = "  "'], ids=["none", "empty", "blank"])
def test_a_waiver_without_a_reason(configure, tests, judge, reason) -> None:
    repo = configure(WAIVER + reason)
    repo.write("test/test_a.py", tests("test_a"))
    outcome = judge(repo, "--base", "HEAD", "--all")
    assert outcome.found == [("pyproject.toml", None, "suppression-invalid")]
    assert outcome.report["findings"][0]["message"] == "the waiver of gpu-marker-missing for test_a gives no reason"


def test_a_waiver_that_waives_nothing(configure, judge) -> None:
    repo = configure(WAIVER + 'reason = "was needed once"\n')
    outcome = judge(repo, "--base", "HEAD", "--all")
    assert outcome.found == [("pyproject.toml", None, "suppression-unused")]


FAULTS = {
    "test = 'spec'": "tool.torchrl-preflight.test is unknown (did you mean 'tests'?); allowed: {keys}",
    "gpu.mark = 'cuda'": "tool.torchrl-preflight.gpu.mark is unknown (did you mean 'marker'?); allowed: marker, not-exempting",
    "tests = ['spec']": "tool.torchrl-preflight.tests must be a string, not a list",
    "tests = true": "tool.torchrl-preflight.tests must be a string, not true or false",
    "tests = 1": "tool.torchrl-preflight.tests must be a string, not a number",
    "gpu = 'cuda'": "tool.torchrl-preflight.gpu must be a table, not a string",
    "gpu.not-exempting = 'x'": "tool.torchrl-preflight.gpu.not-exempting must be a list, not a string",
    "gpu.not-exempting = [1]": "tool.torchrl-preflight.gpu.not-exempting must be a list of strings",
    "profile = 'pytorch'": "tool.torchrl-preflight.profile is 'pytorch'; choose one of pytorch-rl, tensordict",
    "profile = ['x']": "tool.torchrl-preflight.profile is ['x']; choose one of pytorch-rl, tensordict",
    "rules = 'off'": "tool.torchrl-preflight.rules must be a table of rule = severity",
    "rules.gpu-marker = 'off'": "tool.torchrl-preflight.rules: unknown rule 'gpu-marker'; torchrl-lint rules lists them",
    "rules.gpu-marker-missing = 'fatal'": "tool.torchrl-preflight.rules.gpu-marker-missing is 'fatal'; allowed: error, warning, advisory, off",
    "rules.gpu-marker-missing = false": "tool.torchrl-preflight.rules.gpu-marker-missing is False; allowed: error, warning, advisory, off",
    "enforce-all = 'gpu-marker-missing'": "tool.torchrl-preflight.enforce-all must be a list of rule names",
    "enforce-all = [1]": "tool.torchrl-preflight.enforce-all must be a list of rule names",
    "enforce-all = ['x']": "tool.torchrl-preflight.enforce-all: unknown rule 'x'; torchrl-lint rules lists them",
    "waivers = 'x'": "tool.torchrl-preflight.waivers must be an array of tables",
    "waivers = ['x']": "tool.torchrl-preflight.waivers must be an array of tables",
    "waivers = [{rule = 'x', symbol = 'y', line = 1}]": "tool.torchrl-preflight.waivers, entry 1: unknown key 'line'; allowed: rule, symbol, reason",
    "waivers = [{rule = 'gpu-marker-missing', symbol = 1}]": "tool.torchrl-preflight.waivers, entry 1: symbol must be a string",
    "waivers = [{rule = 'gpu-marker-missing'}]": "tool.torchrl-preflight.waivers, entry 1: rule and symbol are needed",
    "waivers = [{rule = 'x', symbol = 'y'}]": "tool.torchrl-preflight.waivers: unknown rule 'x'; torchrl-lint rules lists them",
}


@pytest.mark.parametrize("text", FAULTS)
def test_what_is_wrong_is_told_in_one_line(configure, lint, text) -> None:
    outcome = lint(configure(text), "--base", "HEAD")
    message = FAULTS[text].format(keys=", ".join(sorted([*_keys(), "enforce-all", "profile", "rules", "waivers"])))
    assert (outcome.status, outcome.out, outcome.err) == (2, "", f"torchrl-lint: pyproject.toml: {message}\n")


def _keys() -> list[str]:
    """Keys of the shipped profile, which is the schema."""
    text = files("torchrl_preflight.hooks.profiles").joinpath("pytorch-rl.toml").read_bytes()
    return [key for key in _parse(text, "pytorch-rl") if key != "rules"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[tool.torchrl-preflight\n", "not valid TOML: "),
        ("# torchrl-preflight\n\xff".encode("latin-1"), "not valid TOML: "),
        ("# torchrl-preflight\nx = " + "[" * 5000, "not valid TOML: "),
        ("tool = 'torchrl-preflight'\n", "tool.torchrl-preflight must be a table"),
        ("[tool]\ntorchrl-preflight = 1\n", "tool.torchrl-preflight must be a table"),
    ],
    ids=["unclosed", "bytes", "nested", "tool", "value"],
)
def test_a_file_that_is_no_table(repo, lint, text, what) -> None:
    repo.write("pyproject.toml", text)
    outcome = lint(repo, "--base", "HEAD")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"torchrl-lint: pyproject.toml: {what}")
    assert outcome.err.count("\n") == 1


def test_a_broken_file_without_our_table_is_not_ours(repo, judge) -> None:
    repo.write("pyproject.toml", "[project\n")
    assert judge(repo, "--base", "HEAD").status == 0
