"""Facts of a shell script, read with tree-sitter.

The parser recovers from what it does not understand, so a damaged script still gives the rest of its
commands; the damaged part is a ``("?", ...)`` node.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from .records_ci import Script

VARIABLE = "GHEXPR{}X"
"""Name of the variable that stands for a GitHub expression of that number; quotes do not hide it."""

_VARIABLE = re.compile(r"\$\{(GHEXPR\d+X)\}")
_SHELLS = ("bash", "sh", "zsh", "dash")
_SOURCES = ("source", ".")
# Commands whose arguments are text or package names: a "pytest" among them runs nothing.
_TALK = ("echo", "printf", "pip", "pip3", "uv", "conda", "mamba", "apt-get", "apt", "cat", "grep", "git")


def script(data: bytes) -> Script:
    """Facts of a script's bytes; never raises."""
    reader = _Reader(data)
    try:
        body = reader.body(_parser().parse(data).root_node.named_children)
    except RecursionError:
        body = (("?", 1),)
        reader.opaque.append(1)
    if (
        not body
        and data.strip()
        and not all(line.lstrip().startswith(b"#") or not line.strip() for line in data.splitlines())
    ):
        reader.opaque.append(1)
    return Script(
        lines=data.count(b"\n") + (not data.endswith(b"\n")),
        pytest=reader.pytest,
        calls=tuple(sorted(reader.calls)),
        body=body,
        opaque=tuple(sorted(set(reader.opaque))),
    )


@cache
def _parser() -> Any:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def _called(words: list[Any]) -> Iterator[str]:
    """Names of the scripts that a command may run; "" for one that is computed."""
    for position, word in enumerate(words):
        tail = word if type(word) is str else word[-1]
        if type(tail) is not str:
            # "$DIR/$name" as the command itself, or as what a shell is given first.
            if position == 0 or (position == 1 and words[0] in (*_SHELLS, *_SOURCES)):
                yield ""
        elif tail.endswith(".sh"):
            yield tail.rpartition("/")[2]


class _Reader:
    """Turns syntax nodes into tuples.

    Args:
        data: the script.
        line: what its first line counts as.
    """

    def __init__(self, data: bytes, line: int = 1) -> None:
        self.data = data
        self.line = line
        self.pytest = False
        self.calls: set[str] = set()
        self.opaque: list[int] = []

    def body(self, nodes: list[Any]) -> tuple[Any, ...]:
        return tuple([self.command(node) for node in nodes if node.type != "comment"])

    def command(self, node: Any) -> tuple[Any, ...]:
        read = getattr(self, "_" + node.type, None)
        if read is None or node.is_missing:
            return self._unknown(node)
        return read(node, node.start_point[0] + self.line)

    def _unknown(self, node: Any) -> tuple[Any, ...]:
        line = node.start_point[0] + self.line
        self.opaque.append(line)
        return ("?", line)

    # Commands

    def _command(self, node: Any, line: int, inputs: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        assigns, words = [], []
        for child in node.named_children:
            if child.type == "variable_assignment":
                assigns.append(self._assignment(child))
            elif child.type == "command_name":
                words.append(self.word(child.named_children[0]) if child.named_children else self._text(child))
            elif child.type == "herestring_redirect":
                inputs += self._inputs([child])
            elif not child.type.endswith("redirect"):
                words.append(self._code(child, words) or self.word(child))
        literal = [word for word in words if type(word) is str]
        head = literal[0].rpartition("/")[2] if literal else ""
        if any("pytest" in word for word in literal) and head not in _TALK:
            self.pytest = True
        self.calls.update(_called(words))
        return ("cmd", line, tuple(assigns), tuple(words), inputs)

    def _code(self, node: Any, words: list[Any]) -> Any:
        """The program given to ``bash -c``, as a word of one part."""
        if not (len(words) >= 2 and isinstance(words[-1], str) and re.fullmatch(r"-[a-z]*c", words[-1])):
            return None
        if not any(isinstance(word, str) and word.rpartition("/")[2] in _SHELLS for word in words[:-1]):
            return None
        text = self.word(node)
        if not isinstance(text, str):
            return None
        data = text.encode()
        inner = _Reader(data, self.line + node.start_point[0])
        body = inner.body(_parser().parse(data).root_node.named_children)
        self.pytest |= inner.pytest
        self.calls |= inner.calls
        self.opaque += inner.opaque
        return (("code", body),)

    def _variable_assignment(self, node: Any, line: int) -> tuple[Any, ...]:
        return ("set", line, "", (self._assignment(node),))

    def _variable_assignments(self, node: Any, line: int) -> tuple[Any, ...]:
        return ("set", line, "", tuple([self._assignment(child) for child in node.named_children]))

    def _declaration_command(self, node: Any, line: int) -> tuple[Any, ...]:
        assigns = []
        for child in node.named_children:
            if child.type == "variable_assignment":
                assigns.append(self._assignment(child))
            elif child.type == "variable_name":
                assigns.append((self._text(child), "=", None))
        kind = node.children[0].type
        return ("set", line, "declare" if kind == "typeset" else kind, tuple(assigns))

    def _unset_command(self, node: Any, line: int) -> tuple[Any, ...]:
        names = [self._text(child) for child in node.named_children if child.type == "variable_name"]
        return ("set", line, "unset", tuple([(name, "=", None) for name in names]))

    def _assignment(self, node: Any) -> tuple[Any, ...]:
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        operator = "+=" if any(child.type == "+=" for child in node.children) else "="
        if name.type == "subscript":
            return (self._text(name.child_by_field_name("name")), operator, (("?", self._text(node)),))
        if value is None:
            return (self._text(name), operator, "")
        if value.type == "array":
            return (
                self._text(name),
                operator,
                ("array", tuple([self.word(child) for child in value.named_children if child.type != "comment"])),
            )
        return (self._text(name), operator, self.word(value))

    def _function_definition(self, node: Any, line: int) -> tuple[Any, ...]:
        inner = node.child_by_field_name("body")
        name = self._text(node.child_by_field_name("name"))
        return ("function", line, name, self.body(inner.named_children) if inner is not None else ())

    def _if_statement(self, node: Any, line: int) -> tuple[Any, ...]:
        arms, otherwise = [], ()
        arms.append(self._arm(node))
        for child in node.named_children:
            if child.type == "elif_clause":
                arms.append(self._arm(child))
            elif child.type == "else_clause":
                otherwise = self.body(child.named_children)
        return ("if", line, tuple(arms), otherwise)

    def _arm(self, node: Any) -> tuple[Any, Any]:
        test, body, then = [], [], False
        for child in node.children:
            if child.type in ("then", "elif_clause", "else_clause"):
                then = True
            if child.is_named and child.type not in ("elif_clause", "else_clause"):
                (body if then else test).append(child)
        return self.body(test), self.body(body)

    def _case_statement(self, node: Any, line: int) -> tuple[Any, ...]:
        items = []
        for item in node.named_children:
            if item.type != "case_item":
                continue
            patterns, body, after = [], [], False
            for child in item.children:
                if child.type == ")":
                    after = True
                elif child.is_named:
                    (body if after else patterns).append(child)
            items.append((tuple([self.word(child) for child in patterns]), self.body(body)))
        return ("case", line, self.word(node.child_by_field_name("value")), tuple(items))

    def _for_statement(self, node: Any, line: int) -> tuple[Any, ...]:
        words = tuple([self.word(child) for child in node.children_by_field_name("value")])
        if not any(child.type == "in" for child in node.children):
            words = ((("@", "@", "@", True),),)
        body = self.body(node.child_by_field_name("body").named_children)
        return ("for", line, self._text(node.child_by_field_name("variable")), words, body)

    def _c_style_for_statement(self, node: Any, line: int) -> tuple[Any, ...]:
        body = node.child_by_field_name("body").named_children
        return ("while", line, (("?", line),), self.body(body), ())

    def _while_statement(self, node: Any, line: int, inputs: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        tests = [child for child in node.children_by_field_name("condition") if child.is_named]
        return ("while", line, self.body(tests), self.body(node.child_by_field_name("body").named_children), inputs)

    def _list(self, node: Any, line: int) -> tuple[Any, ...]:
        result = None
        kind = ""
        for child in node.children:
            if child.type in ("&&", "||"):
                kind = "and" if child.type == "&&" else "or"
            elif child.is_named and child.type != "comment":
                right = self.command(child)
                result = right if result is None else (kind, line, result, right)
        return result or ("?", line)

    def _pipeline(self, node: Any, line: int) -> tuple[Any, ...]:
        return ("pipe", line, self.body(node.named_children))

    def _negated_command(self, node: Any, line: int) -> tuple[Any, ...]:
        return ("not", line, self.command(node.named_children[-1]))

    def _subshell(self, node: Any, line: int) -> tuple[Any, ...]:
        return ("subshell", line, self.body(node.named_children))

    def _compound_statement(self, node: Any, line: int) -> tuple[Any, ...]:
        if node.children[0].type == "((":
            return ("?", line)
        return ("group", line, self.body(node.named_children))

    _do_group = _compound_statement

    def _redirected_statement(self, node: Any, line: int) -> tuple[Any, ...]:
        inner = node.child_by_field_name("body")
        inputs = self._inputs(node.named_children)
        if inner is None:
            return ("cmd", line, (), (), inputs)
        if inner.type == "command":
            return self._command(inner, inner.start_point[0] + self.line, inputs)
        if inner.type == "while_statement":
            return self._while_statement(inner, inner.start_point[0] + self.line, inputs)
        return self.command(inner)

    def _inputs(self, redirects: list[Any]) -> tuple[Any, ...]:
        inputs: list[Any] = []
        for redirect in redirects:
            if redirect.type == "herestring_redirect":
                inputs.append(("<<<", self.word(redirect.named_children[-1])))
            elif redirect.type == "file_redirect" and any(child.type == "<" for child in redirect.children):
                target = redirect.named_children[-1]
                if target.type == "process_substitution":
                    inputs.append(("<", self.body(target.named_children)))
        return tuple(inputs)

    def _test_command(self, node: Any, line: int) -> tuple[Any, ...]:
        parts = node.named_children
        if node.children[0].type == "((" or len(parts) != 1:
            return ("test", line, ("?",))
        return ("test", line, self.condition(parts[0]))

    # Conditions

    def condition(self, node: Any) -> tuple[Any, ...]:
        if node.type == "parenthesized_expression":
            return self.condition(node.named_children[0]) if node.named_children else ("?",)
        if node.type == "unary_expression":
            operator = node.children[0]
            if operator.type == "!":
                return ("not", self.condition(node.named_children[-1]))
            return ("unary", self._text(operator), self.word(node.named_children[-1]))
        if node.type == "negation_expression":
            return ("not", self.condition(node.named_children[-1]))
        if node.type == "binary_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            operator = self._text(node.child_by_field_name("operator"))
            if operator in ("&&", "-a", "||", "-o"):
                return ("and" if operator in ("&&", "-a") else "or", self.condition(left), self.condition(right))
            if left.type == "binary_expression" or right.type == "binary_expression":
                # "[ a = b -o c = d ]" is grouped wrongly by the grammar.
                return ("?",)
            right_word = self._text(right) if right.type == "regex" else self.word(right)
            return ("binary", "==" if operator == "=" else operator, self.word(left), right_word)
        if node.type in ("ERROR", "ternary_expression"):
            return ("?",)
        return ("word", self.word(node))

    # Words

    def word(self, node: Any) -> Any:
        parts: list[Any] = []
        self._parts(node, False, parts)
        merged: list[Any] = []
        for part in parts:
            if isinstance(part, str) and merged and isinstance(merged[-1], str):
                merged[-1] += part
            else:
                merged.append(part)
        if not merged:
            return ""
        return merged[0] if len(merged) == 1 and isinstance(merged[0], str) else tuple(merged)

    def _parts(self, node: Any, quoted: bool, parts: list[Any]) -> None:
        kind = node.type
        if kind in ("word", "number", "extglob_pattern", "variable_name", "test_operator", "regex"):
            if node.named_children:
                self._between(node, quoted, parts)
            else:
                parts.append(re.sub(r"\\(\n|.)", lambda m: "" if m[1] == "\n" else m[1], self._text(node)))
        elif kind == "raw_string":
            for number, text in enumerate(_VARIABLE.split(self._text(node)[1:-1])):
                parts.append(("$", text, "", None, True) if number % 2 else text)
        elif kind == "ansi_c_string":
            parts.append(self._text(node)[2:-1].replace("\\n", "\n").replace("\\t", "\t").replace("\\'", "'"))
        elif kind in ("string", "translated_string"):
            inner = node if kind == "string" else node.named_children[-1]
            self._between(inner, True, parts, 1)
        elif kind in ("concatenation", "command_name"):
            for child in node.children:
                self._parts(child, quoted, parts)
        elif kind == "simple_expansion":
            parts.append(self._variable(self._text(node)[1:], "", None, quoted))
        elif kind == "expansion":
            parts.append(self._expansion(node, quoted))
        elif kind == "command_substitution":
            parts.append(("(", self.body(node.named_children), quoted))
        else:
            parts.append(("?", self._text(node)))

    def _between(self, node: Any, quoted: bool, parts: list[Any], margin: int = 0) -> None:
        """The children and, since the grammar drops white space, what stands between them."""
        at, end = node.start_byte + margin, node.end_byte - margin
        for child in node.children:
            if child.start_byte < at or child.end_byte > end:
                continue
            self._literal(at, child.start_byte, parts)
            if child.type == "string_content":
                self._literal(child.start_byte, child.end_byte, parts)
            elif child.is_named:
                self._parts(child, quoted, parts)
            else:
                self._literal(child.start_byte, child.end_byte, parts)
            at = child.end_byte
        self._literal(at, end, parts)
        if not parts:
            parts.append("")

    def _literal(self, start: int, end: int, parts: list[Any]) -> None:
        if start < end:
            text = self.data[start:end].decode(errors="replace")
            parts.append(re.sub(r'\\([\\"$`\n])', lambda m: "" if m[1] == "\n" else m[1], text))

    def _variable(self, name: str, operator: str, argument: Any, quoted: bool) -> tuple[Any, ...]:
        if name in ("@", "*"):
            return ("@", "@", name, quoted)
        return ("$", name, operator, argument, quoted)

    def _expansion(self, node: Any, quoted: bool) -> tuple[Any, ...]:
        children = [child for child in node.children if child.type not in ("${", "}")]
        opaque = ("?", self._text(node))
        if not children:
            return opaque
        if self._text(children[0]) == "#" and len(children) == 2 and children[1].type != "subscript":
            return self._variable(self._text(children[1]), "length", None, quoted)
        name, rest = children[0], children[1:]
        if name.type == "subscript" or self._text(name) in ("@", "*"):
            owner = "@" if name.type != "subscript" else self._text(name.child_by_field_name("name"))
            index = self._text(name.child_by_field_name("index") if name.type == "subscript" else name)
            if rest and rest[0].type == ":":
                index += self.data[rest[0].start_byte : node.end_byte - 1].decode(errors="replace").replace(" ", "")
            return ("@", owner, index, quoted)
        if name.type not in ("variable_name", "special_variable_name", "word", "number"):
            return opaque
        if not rest:
            return self._variable(self._text(name), "", None, quoted)
        operator = self._text(rest[0])
        if operator in (":", "/", "//", "/#", "/%"):
            text = self.data[rest[0].end_byte : node.end_byte - 1].decode(errors="replace")
            return self._variable(self._text(name), operator, text, quoted)
        parts: list[Any] = []
        for child in rest[1:]:
            self._parts(child, quoted, parts)
        argument = "".join(parts) if all(isinstance(part, str) for part in parts) else tuple(parts)
        return self._variable(self._text(name), operator, argument, quoted)

    def _text(self, node: Any) -> str:
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")
