"""GitHub's expressions, evaluated as far as they can be known before anything runs.

``UNKNOWN`` is a value like any other; conditions have three values: True, False and None.
"""

from __future__ import annotations

import re
from typing import Any


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()

_TOKEN = re.compile(
    r"\s*(?:('(?:[^']|'')*')|(0x[0-9a-fA-F]+|-?\d+(?:\.\d+)?)|([A-Za-z_][\w-]*)|(&&|\|\||==|!=|<=|>=|[<>!().,\[\]*]))"
)
_CONSTANTS = {"true": True, "false": False, "null": None}
_STATUS = {"always": True, "success": True, "failure": False, "cancelled": False}


class ExpressionError(Exception):
    """An expression that GitHub would not accept either."""


def parse(text: str) -> Any:
    """Syntax tree of an expression, as nested tuples; ``${{ }}`` around all of it is dropped.

    Raises:
        ExpressionError: not an expression.
    """
    text = text.strip()
    if text.startswith("${{") and text.endswith("}}"):
        text = text[3:-2]
    tokens, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ExpressionError(f"{text[at : at + 20]!r} is not part of an expression")
        tokens.append((match.lastindex, match[match.lastindex]))
        at = match.end()
    parser = _Parser(tokens)
    tree = parser.either()
    if parser.at < len(tokens):
        raise ExpressionError(f"unexpected {tokens[parser.at][1]!r}")
    return tree


class _Parser:
    def __init__(self, tokens: list[tuple[int, str]]) -> None:
        self.tokens = [*tokens, (0, "")]
        self.at = 0

    def take(self, *texts: str) -> str:
        kind, text = self.tokens[self.at]
        if kind == 4 and text in texts:
            self.at += 1
            return text
        return ""

    def need(self, text: str) -> None:
        if not self.take(text):
            raise ExpressionError(f"{text!r} is missing")

    def either(self) -> Any:
        tree = self.both()
        while self.take("||"):
            tree = ("||", tree, self.both())
        return tree

    def both(self) -> Any:
        tree = self.compared()
        while self.take("&&"):
            tree = ("&&", tree, self.compared())
        return tree

    def compared(self) -> Any:
        tree = self.unary()
        while operator := self.take("==", "!=", "<", "<=", ">", ">="):
            tree = (operator, tree, self.unary())
        return tree

    def unary(self) -> Any:
        return ("!", self.unary()) if self.take("!") else self.postfix()

    def postfix(self) -> Any:
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == 1:
            tree = ("value", text[1:-1].replace("''", "'"))
        elif kind == 2:
            tree = ("value", float(int(text, 16)) if text.startswith("0x") else float(text))
        elif kind == 3 and self.take("("):
            arguments = []
            while not self.take(")"):
                arguments.append(self.either())
                if not self.take(","):
                    self.need(")")
                    break
            tree = ("call", text.lower(), tuple(arguments))
        elif kind == 3:
            tree = ("value", _CONSTANTS[text]) if text in _CONSTANTS else ("name", text)
        elif text == "(":
            tree = self.either()
            self.need(")")
        else:
            raise ExpressionError(f"unexpected {text or 'end'!r}")
        while True:
            if self.take("."):
                kind, text = self.tokens[self.at]
                self.at += 1
                if kind != 3 and text != "*":
                    raise ExpressionError("a name is missing after '.'")
                tree = (".", tree, ("value", text))
            elif self.take("["):
                tree = (".", tree, ("value", "*") if self.take("*") else self.either())
                self.need("]")
            else:
                return tree


def literals(tree: Any) -> set[str]:
    """The strings of an expression."""
    if not isinstance(tree, tuple):
        return set()
    if tree[0] == "value":
        return {tree[1]} if isinstance(tree[1], str) else set()
    return set().union(*map(literals, tree[2] if tree[0] == "call" else tree[1:]))


def asks_status(tree: Any) -> bool:
    """Whether an expression calls ``always()`` and its kind, which lifts the condition that needed jobs succeeded."""
    if not isinstance(tree, tuple):
        return False
    if tree[0] == "call":
        return tree[1] in _STATUS or any(map(asks_status, tree[2]))
    return any(map(asks_status, tree[1:]))


def truth(tree: Any, contexts: dict[str, Any]) -> bool | None:
    """Whether an expression holds; None where that depends on what is not known."""
    if tree[0] in ("&&", "||"):
        decides = tree[0] == "||"
        left = truth(tree[1], contexts)
        right = left if left is decides else truth(tree[2], contexts)
        return decides if right is decides else None if None in (left, right) else not decides
    if tree[0] == "!":
        inner = truth(tree[1], contexts)
        return None if inner is None else not inner
    found = value(tree, contexts)
    return None if found is UNKNOWN else _true(found)


def value(tree: Any, contexts: dict[str, Any]) -> Any:
    """The value of an expression: str, float, bool, None, list, dict or UNKNOWN."""
    kind = tree[0]
    if kind == "value":
        return tree[1]
    if kind == "name":
        return contexts.get(tree[1].lower(), UNKNOWN)
    if kind == ".":
        return _member(value(tree[1], contexts), value(tree[2], contexts))
    if kind == "call":
        return _call(tree[1], [value(argument, contexts) for argument in tree[2]])
    if kind in ("&&", "||"):
        left = truth(tree[1], contexts)
        if left is None:
            return UNKNOWN
        return value(tree[2] if left == (kind == "&&") else tree[1], contexts)
    if kind == "!":
        inner = truth(tree, contexts)
        return UNKNOWN if inner is None else inner
    return _compare(kind, value(tree[1], contexts), value(tree[2], contexts))


def text_of(found: Any) -> str | None:
    """A value as GitHub writes it into text; None for UNKNOWN and for objects."""
    if found is None:
        return ""
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, float):
        return f"{found:g}"
    return found if isinstance(found, str) else None


def _true(found: Any) -> bool:
    return found not in (None, False, "", 0.0) or isinstance(found, (list, dict))


def _member(owner: Any, name: Any) -> Any:
    if owner is None:
        return [] if name == "*" else None
    if isinstance(owner, list):
        if name == "*":
            return owner
        if isinstance(name, str):
            return [item[name] if isinstance(item, dict) and name in item else UNKNOWN for item in owner]
    if isinstance(owner, dict) and isinstance(name, str):
        return owner.get(name, UNKNOWN)
    return UNKNOWN


def _call(name: str, given: list[Any]) -> Any:
    if name in _STATUS:
        return _STATUS[name]
    if any(item is UNKNOWN or (isinstance(item, list) and UNKNOWN in item) for item in given):
        return UNKNOWN
    texts = [text_of(item) for item in given]
    if name == "contains" and len(given) == 2 and texts[1] is not None:
        wanted = texts[1].lower()
        if isinstance(given[0], list):
            return any((text_of(item) or "").lower() == wanted for item in given[0])
        return UNKNOWN if texts[0] is None else wanted in texts[0].lower()
    if name in ("startswith", "endswith") and len(given) == 2 and None not in texts:
        test = str.startswith if name == "startswith" else str.endswith
        return test(texts[0].lower(), texts[1].lower())
    if name == "format" and given and None not in texts:
        return re.sub(r"\{(\d+)\}", lambda m: texts[int(m[1]) + 1] if int(m[1]) + 1 < len(texts) else "", texts[0])
    if name == "join" and given and isinstance(given[0], list):
        items = [text_of(item) for item in given[0]]
        return UNKNOWN if None in items else (texts[1] if len(texts) > 1 and texts[1] else ",").join(items)
    return UNKNOWN


def _compare(operator: str, left: Any, right: Any) -> Any:
    if left is UNKNOWN or right is UNKNOWN or isinstance(left, (list, dict)) or isinstance(right, (list, dict)):
        return UNKNOWN
    if isinstance(left, str) and isinstance(right, str):
        left, right = left.lower(), right.lower()
    elif type(left) is not type(right):
        left, right = _number(left), _number(right)
    if operator in ("==", "!="):
        return (left == right) == (operator == "==")
    try:
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]
    except TypeError:
        return False


def _number(found: Any) -> float:
    try:
        return float(found or 0)
    except ValueError:
        return float("nan")
