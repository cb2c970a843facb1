"""The target's shape: which folder is the package, which the tests, what its rules are worth.

A shipped profile is chosen by looking at the tree; ``[tool.torchrl-preflight]`` in the target's
pyproject.toml overrides any value of it. The shipped file is also the schema: a key that it does
not have, or a value of another type, is an error.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from .finding import SEVERITIES
from .tree import Tree

CONFIG = "pyproject.toml"
_TABLE = "tool.torchrl-preflight"
_WAIVER = ("rule", "symbol", "reason")


class ConfigError(Exception):
    """The target's configuration is wrong; the message is one line naming file, key and what is allowed."""


class Waiver(NamedTuple):
    """A finding that the target accepts although no line can carry a comment."""

    rule: str
    symbol: str
    reason: str


class Profile:
    """Values by key, as in the TOML file: ``profile["tests"]``, ``profile["gpu"]["marker"]``.

    Args:
        name: of the shipped profile.
        values: after overrides.
        severities: rule -> severity or "off".
        enforced: rules whose old debt is zero; they judge the whole tree always.
    """

    def __init__(
        self,
        name: str,
        values: dict[str, Any],
        severities: dict[str, str],
        enforced: tuple[str, ...],
        waivers: tuple[Waiver, ...],
    ) -> None:
        self.name = name
        self.severities = severities
        self.enforced = enforced
        self.waivers = waivers
        self.values = values

    def __getitem__(self, key: str) -> Any:
        return self.values[key]


def shipped() -> list[str]:
    """Names of the profiles in this package."""
    return sorted(path.stem for path in _folder().glob("*.toml"))


def choose(tree: Tree, known_rules: frozenset[str]) -> Profile | None:
    """The profile that fits a tree, with the target's overrides, or None where none fits.

    Raises:
        ConfigError: the target's table has an unknown key, a wrong type or an unknown rule.
    """
    overrides = _overrides(tree)
    wanted = overrides.pop("profile", None)
    for name in shipped():
        values = _parse((_folder() / f"{name}.toml").read_bytes(), name)
        if wanted == name or (wanted is None and f"{values['package']}/__init__.py" in tree):
            break
    else:
        if wanted is not None:
            raise ConfigError(f"{CONFIG}: {_TABLE}.profile is {wanted!r}; choose one of {', '.join(shipped())}")
        return None
    severities = {**values.pop("rules"), **_rules(overrides.pop("rules", {}), known_rules)}
    enforced = _names(overrides.pop("enforce-all", []), "enforce-all", known_rules)
    waivers = _waivers(overrides.pop("waivers", []), known_rules)
    _merge(values, overrides, _TABLE)
    return Profile(name, values, severities, enforced, waivers)


def _folder() -> Path:
    return Path(__file__).parent / "profiles"


def _overrides(tree: Tree) -> dict[str, Any]:
    data = tree.read(CONFIG)
    if data is None or b"torchrl-preflight" not in data:
        return {}
    tables = _parse(data, CONFIG)
    tool = tables.get("tool", {})
    table = tool.get("torchrl-preflight", {}) if isinstance(tool, dict) else tool
    if not isinstance(table, dict):
        raise ConfigError(f"{CONFIG}: {_TABLE} must be a table")
    return dict(table)


def _parse(data: bytes, name: str) -> dict[str, Any]:
    try:
        import tomllib
    except ModuleNotFoundError:
        import tomli as tomllib
    try:
        return tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{name}: not valid TOML: {error}") from error


def _merge(values: dict[str, Any], overrides: dict[str, Any], where: str) -> None:
    for key, value in overrides.items():
        if key not in values:
            extra = ["enforce-all", "profile", "rules", "waivers"] if where == _TABLE else []
            allowed = sorted([*values, *extra])
            raise ConfigError(
                f"{CONFIG}: {where}.{key} is unknown{_meant(key, allowed)}; allowed: {', '.join(allowed)}"
            )
        if type(value) is not type(values[key]):
            raise ConfigError(f"{CONFIG}: {where}.{key} must be {_called(values[key])}, not {_called(value)}")
        if isinstance(value, dict):
            _merge(values[key], value, f"{where}.{key}")
        else:
            if isinstance(value, list) and not all(isinstance(item, str) for item in value):
                raise ConfigError(f"{CONFIG}: {where}.{key} must be a list of strings")
            values[key] = value


def _rules(table: Any, known: frozenset[str]) -> dict[str, str]:
    allowed = (*SEVERITIES, "off")
    if not isinstance(table, dict):
        raise ConfigError(f"{CONFIG}: {_TABLE}.rules must be a table of rule = severity")
    for rule, severity in table.items():
        _names([rule], "rules", known)
        if severity not in allowed:
            raise ConfigError(f"{CONFIG}: {_TABLE}.rules.{rule} is {severity!r}; allowed: {', '.join(allowed)}")
    return table


def _names(rules: Any, key: str, known: frozenset[str]) -> tuple[str, ...]:
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise ConfigError(f"{CONFIG}: {_TABLE}.{key} must be a list of rule names")
    for rule in rules:
        if rule not in known:
            meant = _meant(rule, known)
            raise ConfigError(f"{CONFIG}: {_TABLE}.{key}: unknown rule {rule!r}{meant}; torchrl-lint rules lists them")
    return tuple(rules)


def _waivers(rows: Any, known: frozenset[str]) -> tuple[Waiver, ...]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ConfigError(f"{CONFIG}: {_TABLE}.waivers must be an array of tables")
    for position, row in enumerate(rows, 1):
        where = f"{CONFIG}: {_TABLE}.waivers, entry {position}"
        if unknown := sorted(row.keys() - set(_WAIVER)):
            raise ConfigError(f"{where}: unknown key {unknown[0]!r}; allowed: {', '.join(_WAIVER)}")
        for key in _WAIVER:
            if not isinstance(row.get(key, ""), str):
                raise ConfigError(f"{where}: {key} must be a string")
        if not row.get("rule") or not row.get("symbol"):
            raise ConfigError(f"{where}: rule and symbol are needed")
        _names([row["rule"]], "waivers", known)
    return tuple(Waiver(row["rule"], row["symbol"], row.get("reason", "").strip()) for row in rows)


def _meant(name: str, known: Iterable[str]) -> str:
    """What a name was most likely to be, after a renaming or a slip."""
    from difflib import get_close_matches

    near = get_close_matches(name.replace("_", "-"), list(known), 1, 0.8)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _called(value: Any) -> str:
    return {str: "a string", list: "a list", dict: "a table", bool: "true or false", int: "a number"}.get(
        type(value), type(value).__name__
    )
