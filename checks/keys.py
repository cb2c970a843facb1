"""The keys of a loss, declared against actual, found in the child: what ``torchrl-smoke loss-keys`` prints."""

from __future__ import annotations

import difflib
import pkgutil
import warnings
from typing import Any

from .areas import _losses
from .outcome import Unverified

FROM_THE_ACTOR = ("action", "action_target", "sample_log_prob", "log_prob")  # fields whose data an actor writes


def examine(name: str, actor: str | None) -> dict[str, Any]:
    """Everything about the keys of a loss, as plain values.

    Args:
        name: the loss, ``ClipPPOLoss``, or where it is, ``torchrl.objectives.ClipPPOLoss``.
        actor: ``module:name`` of an actor or of what builds one, or its out_keys with commas between them.

    Returns:
        ``loss``, ``accepted`` (field, default, whether it is among the in_keys), ``in_keys``, ``declared``, ``actual``,
        ``undeclared`` and ``missing`` out_keys, ``value_estimators``, ``actor`` and ``notes``; or ``wrong``, what is wrong
        with the question. Keys are strings, or lists of them if nested; what could not be found out is None.
    """
    losses = _losses.losses()
    cls = losses.get(name.rpartition(".")[2])
    if cls is None:
        close = difflib.get_close_matches(name, losses, 2, 0.5)
        words = f"did you mean {' or '.join(close)}?" if close else f"the losses are {', '.join(losses)}"
        return {"wrong": f"this torchrl has no loss {name!r}; {words}"}
    found: dict[str, Any] = {"loss": f"{cls.__module__}.{cls.__qualname__}", "notes": [], "actor": None}
    defaults = vars(cls._AcceptedKeys())
    found |= dict.fromkeys(("in_keys", "declared", "actual", "undeclared", "missing", "value_estimators"))
    try:
        loss = _losses.build(cls.__name__)
    except Unverified as reason:
        found["notes"].append(f"only what the class itself says: {reason}")
        found["accepted"] = [
            {"field": field, "default": plain(key), "key": plain(key), "read": None} for field, key in defaults.items()
        ]
    else:
        found |= _built(loss, defaults, found["notes"])
    if actor is not None:
        try:
            out_keys = _out_keys(actor)
        except Exception as error:
            return {"wrong": f"--actor {actor}: {type(error).__name__}: {error}"}
        found["actor"] = _judged(out_keys, found["accepted"], found["in_keys"])
    return found


def plain(key: Any) -> Any:
    """A key as json has it."""
    return list(key) if isinstance(key, tuple) else key


def _built(loss: Any, defaults: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    """What a loss with small networks declares and gives."""
    in_keys = getattr(loss, "in_keys", None)
    declared = getattr(loss, "out_keys", None)
    if in_keys is None or declared is None:
        notes.append(
            "it does not declare its "
            + " and ".join(kind for kind, keys in (("in_keys", in_keys), ("out_keys", declared)) if keys is None)
        )
    keys = vars(loss.tensor_keys)
    changed = [f"{field}={keys[field]!r}" for field, key in defaults.items() if keys[field] != key]
    if changed:
        notes.append(f"seen with set_keys({', '.join(changed)})")
    flat = {_losses.flat(key) for key in in_keys or ()}
    accepted = [
        {
            "field": field,
            "default": plain(key),
            "key": plain(_losses.flat(keys[field])),
            "read": None
            if in_keys is None
            else bool({_losses.flat(keys[field]), _losses.flat(("next", keys[field]))} & flat),
        }
        for field, key in defaults.items()
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        actual = sorted(loss(_losses.batch(loss)).keys(True, True), key=str)
    return {
        "accepted": accepted,
        "in_keys": None if in_keys is None else [plain(key) for key in sorted(flat, key=str)],
        "declared": None if declared is None else [plain(key) for key in declared],
        "actual": [plain(key) for key in actual],
        "undeclared": [plain(key) for key in actual if key not in (declared or ())],
        "missing": [plain(key) for key in declared or () if key not in actual],
        "value_estimators": _estimators(loss),
    }


def _estimators(loss: Any) -> list[str]:
    """The value estimators that a loss accepts."""
    from torchrl.objectives import ValueEstimators

    found = []
    for estimator in ValueEstimators:
        try:
            loss.make_value_estimator(estimator)
        except Exception:  # refused in one way or another: NotImplementedError names those that are accepted
            continue
        found.append(estimator.name)
    return found


def _out_keys(actor: str) -> list[Any]:
    """The out_keys of an actor that is named, or those that are listed."""
    if not all(part.strip() for part in actor.split(":" if ":" in actor else ",")):
        raise ValueError("give MODULE:NAME, or keys with commas between them")
    if ":" not in actor:
        return [_losses.flat(tuple(key.split("."))) for key in actor.split(",")]
    made = pkgutil.resolve_name(actor)
    if callable(made) and (not hasattr(made, "out_keys") or isinstance(made, type)):
        made = made()
    if not hasattr(made, "out_keys"):
        raise TypeError(f"a {type(made).__name__} has no out_keys; name an actor, or a function that builds one")
    return [_losses.flat(key) for key in made.out_keys]


def _judged(out_keys: list[Any], accepted: list[dict[str, Any]], in_keys: list[Any] | None) -> dict[str, Any]:
    """Whether an actor writes what a loss reads of it."""
    written = [plain(key) for key in out_keys]
    lacking = [
        {"field": one["field"], "key": one["key"], "hint": _hint(one["field"], out_keys)}
        for one in accepted
        if one["field"] in FROM_THE_ACTOR and one["read"] and one["key"] in in_keys and one["key"] not in written
    ]
    return {"out_keys": written, "lacking": lacking, "satisfied": None if in_keys is None else not lacking}


def _hint(field: str, out_keys: list[Any]) -> str:
    """How to bring an actor and a loss together."""
    kind = "log_prob" if "log_prob" in field else "action"
    last = {key: key[-1] if isinstance(key, tuple) else key for key in out_keys}
    close = [
        key for key, name in last.items() if name.endswith(kind) and (kind == "log_prob" or "log_prob" not in name)
    ]
    if close:
        return f"loss.set_keys({field}={close[0]!r})"
    return (
        "return_log_prob=True where the actor is built"
        if kind == "log_prob"
        else "an actor whose out_keys hold the action"
    )
