"""Runs shell facts without a shell: which pytest commands a script reaches, with which arguments.

What the environment decides at run time is unknown, and where a condition is unknown both ways are
taken. Strings may hold three private characters: something unknown, the root of the repository, and
the ids that a ``pytest --collect-only`` printed (followed by the number of that command).
"""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from ..facts.records_ci import Script
from .select import Selection, selection

UNKNOWN, ROOT, IDS = "\0", "\1", "\2"

_DEPTH = 12
_TURNS = 64
# Set by the runner or the image, so absence from the workflow says nothing about them.
_AMBIENT = re.compile(
    r"(GITHUB|RUNNER|CONDA|CUDA|NVIDIA|LD|AGENT)_\w+$|(PATH|HOME|USER|SHELL|PYTHONPATH|TMPDIR|HOSTNAME|LANG|RANDOM|CI|UID"
    r"|\?|\$|!|-|#|_)$"
)
_WRAPPERS = frozenset(
    (
        "env",
        "sudo",
        "nohup",
        "setsid",
        "time",
        "exec",
        "command",
        "nice",
        "stdbuf",
        "xvfb-run",
        "timeout",
        "builtin",
        "xargs",
    )
)
_SHELLS = frozenset(("bash", "sh", "zsh", "dash"))
_FILTERS = frozenset(["grep", "sort", "uniq", "tee", "cat", "sed", "awk", "head", "tail", "tr", "cut"])
_PYTEST = ("pytest", "py.test")


class Command(NamedTuple):
    """One pytest command.

    Args:
        script: file that holds it; "" is the workflow's own code.
        folder: where it runs, relative to the root.
        devices: how many cards ``CUDA_VISIBLE_DEVICES`` leaves visible; None where it is not set.
    """

    script: str
    line: int
    folder: str
    selection: Selection
    devices: int | None


class _Left(Exception):
    """Control leaves: "exit", "return", "break" or "continue"."""

    def __init__(self, how: str) -> None:
        self.how = how


class _State:
    """What one shell process knows."""

    def __init__(self, variables: dict[str, Any], exported: set[str], folder: str, script: str) -> None:
        self.variables = variables
        self.exported = exported
        self.folder = folder
        self.script = script
        self.functions: dict[str, Any] = {}
        self.positional: tuple[str, ...] = ()
        self.output: list[str] | None = None
        self.input = UNKNOWN

    def fork(self) -> _State:
        other = _State(dict(self.variables), set(self.exported), self.folder, self.script)
        other.functions = dict(self.functions)
        other.positional, other.output, other.input = self.positional, self.output, self.input
        return other

    def become(self, others: list[_State]) -> None:
        """Knows from now on only what all others know."""
        first = others[0]
        variables = first.variables
        for other in others[1:]:
            if variables != other.variables:
                for name in variables.keys() | other.variables.keys():
                    if variables.get(name) != other.variables.get(name):
                        variables[name] = UNKNOWN
            first.exported |= other.exported
            first.functions.update(other.functions)
            if first.folder != other.folder:
                first.folder = UNKNOWN
        self.variables, self.exported, self.functions = variables, first.exported, first.functions
        self.folder = first.folder


class Interpreter:
    """Interprets the scripts of one job.

    Args:
        script: brings the facts of a path; None where there is no such file.
        exists: whether a path names a file or a folder of the tree.
        reaches: whether a script can come to a pytest command; the others are not interpreted.
    """

    def __init__(
        self, script: Callable[[str], Script | None], exists: Callable[[str], bool], reaches: Callable[[Script], bool]
    ) -> None:
        self._script = script
        self._exists = exists
        self._reaches = reaches
        self._depth = 0
        self._collected: list[Selection] = []
        self.commands: list[Command] = []
        self.scripts: dict[str, None] = {}

    def run(self, body: tuple, variables: dict[str, str], folder: str = "", script: str = "") -> None:
        """Interprets a body in a fresh shell.

        Args:
            variables: the environment, all of it exported.
            folder: the working directory, relative to the root.
            script: the file that the body is of.
        """
        state = _State(dict(variables), set(variables), folder, script)
        with suppress(_Left):
            self._body(body, state)

    # Control flow. Every command returns whether it succeeds: True, False or None.

    def _body(self, body: tuple, state: _State) -> bool | None:
        status: bool | None = True
        for node in body:
            status = _COMMANDS[node[0]](self, node, state)
        return status

    def _nothing(self, node: tuple, state: _State) -> bool | None:
        return None

    def _branches(self, ways: list[tuple], state: _State) -> None:
        """Takes every way from the same state and goes on with what they agree on."""
        ends, left = [], None
        for way in ways:
            fork = state.fork()
            try:
                self._body(way, fork)
            except _Left as leaving:
                left = leaving
            else:
                ends.append(fork)
        if not ends:
            raise left
        state.become(ends)

    def _if(self, node: tuple, state: _State) -> bool | None:
        ways = []
        for test, body in node[2]:
            holds = self._body(test, state)
            if holds is False:
                continue
            ways.append(body)
            if holds:
                break
        else:
            ways.append(node[3])
        if len(ways) == 1:
            return self._body(ways[0], state)
        self._branches(ways, state)
        return None

    def _case(self, node: tuple, state: _State) -> bool | None:
        subject = self._text(node[2], state)
        ways = []
        for patterns, body in node[3]:
            found = [_like(subject, self._text(pattern, state)) for pattern in patterns]
            if True in found:
                ways.append(body)
                break
            if None in found:
                ways.append(body)
        else:
            ways.append(())
        if len(ways) == 1:
            return self._body(ways[0], state)
        self._branches(ways, state)
        return None

    def _for(self, node: tuple, state: _State) -> bool | None:
        items = [item for word in node[3] for item in self._fields(word, state)]
        for item in items[:_TURNS]:
            state.variables[node[2]] = item
            try:
                self._body(node[4], state)
            except _Left as leaving:
                if leaving.how == "break":
                    break
                if leaving.how != "continue":
                    raise
        return None

    def _while(self, node: tuple, state: _State) -> bool | None:
        state.input = self._input(node[4], state)
        if self._body(node[2], state) is False:
            return None
        try:
            self._branches([node[3], ()], state)
        except _Left as leaving:
            if leaving.how not in ("break", "continue"):
                raise
        return None

    def _and(self, node: tuple, state: _State) -> bool | None:
        left = self._one(node[2], state)
        if left is (node[0] == "or"):
            return left
        if left is not None:
            return self._one(node[3], state)
        self._branches([(node[3],), ()], state)
        return None

    def _one(self, node: tuple, state: _State) -> bool | None:
        return _COMMANDS[node[0]](self, node, state)

    def _not(self, node: tuple, state: _State) -> bool | None:
        status = self._one(node[2], state)
        return None if status is None else not status

    def _pipe(self, node: tuple, state: _State) -> bool | None:
        fed = state.input
        for part in node[2][:-1]:
            fork = state.fork()
            fork.input, fork.output = fed, []
            with suppress(_Left):
                self._one(part, fork)
            fed = "".join(fork.output)
        before, state.input = state.input, fed
        try:
            return self._one(node[2][-1], state) if node[2] else None
        finally:
            state.input = before

    def _group(self, node: tuple, state: _State) -> bool | None:
        return self._body(node[2], state)

    def _subshell(self, node: tuple, state: _State) -> bool | None:
        try:
            return self._body(node[2], state.fork())
        except _Left as leaving:
            if leaving.how != "exit":
                raise
            return None

    def _function(self, node: tuple, state: _State) -> bool | None:
        state.functions[node[2]] = node[3]
        return True

    def _test(self, node: tuple, state: _State) -> bool | None:
        return self._holds(node[2], state)

    def _set(self, node: tuple, state: _State) -> bool | None:
        kind = node[2]
        for name, operator, value in node[3]:
            if kind == "unset":
                state.variables.pop(name, None)
                state.functions.pop(name, None)
                continue
            if value is not None:
                self._assign(name, operator, value, state)
            elif kind in ("local", "declare"):
                state.variables[name] = ""
            if kind == "export":
                state.exported.add(name)
        return True

    def _assign(self, name: str, operator: str, value: Any, state: _State) -> None:
        if type(value) is tuple and value and value[0] == "array":
            found: Any = tuple([item for word in value[1] for item in self._fields(word, state)])
            if operator == "+=":
                before = state.variables.get(name, ())
                found = (before if isinstance(before, tuple) else (before,)) + found
        else:
            found = self._text(value, state)
            if operator == "+=":
                before = state.variables.get(name, "")
                found = (*before, found) if isinstance(before, tuple) else before + found
        state.variables[name] = found

    # Simple commands

    def _cmd(self, node: tuple, state: _State) -> bool | None:
        words = node[3]
        head = words[0] if words else ""
        # Most commands install something: pass them by without a look at their arguments.
        idle = type(head) is str and not (
            head in _BUILTINS
            or head in state.functions
            or head in _WRAPPERS
            or head in _SHELLS
            or "pytest" in words
            or head.endswith(_RUNNABLE)
        )
        if idle and words:
            self._say(UNKNOWN, state)
            return None
        if state.output is None and type(head) is str and head in _TALK and head not in state.functions:
            return True
        if not words:
            return self._set(("set", node[1], "", node[2]), state)
        given = []
        for word in words:
            if type(word) is tuple and type(word[0]) is tuple and word[0][0] == "code":
                return self._code(word[0][1], node, state)
            given += self._fields(word, state)
        if node[2]:
            before = {name: state.variables.get(name) for name, _, _ in node[2]}
            exported = set(state.exported)
            self._set(("set", node[1], "export", node[2]), state)
            try:
                return self._call(node, given, state)
            finally:
                state.exported = exported
                for name, value in before.items():
                    if value is None:
                        state.variables.pop(name, None)
                    else:
                        state.variables[name] = value
        return self._call(node, given, state)

    def _call(self, node: tuple, words: list[str], state: _State) -> bool | None:
        words = self._unwrap(words, state)
        if not words:
            return None
        head = words[0]
        if head in state.functions:
            return self._invoke(state.functions[head], words[1:], state)
        if head in _BUILTINS:
            return _BUILTINS[head](self, words, node, state)
        at = _pytest_at(words)
        if at is not None:
            return self._pytest(node, words[at:], state)
        if head in _SHELLS:
            words = [word for word in words[1:] if not word.startswith("-")]
            return self._child(words, state) if words else None
        if head.endswith(".sh"):
            return self._child(words, state)
        self._say(UNKNOWN, state)
        return None

    def _unwrap(self, words: list[str], state: _State) -> list[str]:
        while words and words[0] in _WRAPPERS:
            wrapper, words = words[0], words[1:]
            if wrapper == "xargs":
                words = [*words, state.input.strip() or UNKNOWN]
            skip = wrapper == "timeout"
            while words and (words[0].startswith("-") or (wrapper == "env" and "=" in words[0])):
                # "env -u NAME", "timeout -k 5 60", "nice -n 10"
                words = words[2 if words[0] in ("-u", "-k", "-n", "-s", "-I") else 1 :]
            words = words[1:] if skip else words
        return words

    def _pytest(self, node: tuple, words: list[str], state: _State) -> bool | None:
        chosen = selection(
            words, lambda word: self._exists(self._path(word, state) or UNKNOWN), lambda word: UNKNOWN in word
        )
        folder = "" if UNKNOWN in state.folder else state.folder
        # Ids that an earlier --collect-only printed stand for what that command selected.
        if chosen.paths and all(path.startswith(IDS) for path in chosen.paths):
            earlier = self._collected[int(chosen.paths[0][1:].split()[0])]
            both = f"({earlier.keyword}) and ({chosen.keyword})" if earlier.keyword and chosen.keyword else ""
            marks = f"({earlier.marker}) and ({chosen.marker})" if earlier.marker and chosen.marker else ""
            chosen = earlier._replace(
                keyword=both or earlier.keyword or chosen.keyword,
                marker=marks or earlier.marker or chosen.marker,
                options=chosen.options,
            )
        else:
            chosen = chosen._replace(
                paths=tuple([self._place(path, state) for path in chosen.paths]),
                ignores=tuple([self._place(path, state) for path in chosen.ignores]),
                ignore_globs=tuple([self._place(path, state) for path in chosen.ignore_globs]),
                deselects=tuple([self._place(path, state) for path in chosen.deselects]),
            )
        if {"--collect-only", "--co", "--version", "--help", "-h"} & set(chosen.options):
            self._say(f"{IDS}{len(self._collected)}", state)
            self._collected.append(chosen)
            return None
        self._say(UNKNOWN, state)
        devices = state.variables.get("CUDA_VISIBLE_DEVICES")
        count = None
        if isinstance(devices, str) and UNKNOWN not in devices:
            count = len([part for part in devices.split(",") if part.strip() and part.strip() != "-1"])
        self.commands.append(Command(state.script, node[1], folder, chosen, count))
        return None

    def _code(self, body: tuple, node: tuple, state: _State) -> bool | None:
        """``bash -c '...'``: a child that stands in this file."""
        variables = {name: value for name, value in state.variables.items() if name in state.exported}
        child = _State(variables, set(state.exported), state.folder, state.script)
        child.output, child.input = state.output, state.input
        try:
            return self._body(body, child)
        except _Left:
            return None

    def _child(self, words: list[str], state: _State) -> bool | None:
        path = self._path(words[0], state)
        facts = self._open(path)
        if facts is None or not self._reaches(facts):
            self._say(UNKNOWN, state)
            return None
        variables = {name: value for name, value in state.variables.items() if name in state.exported}
        child = _State(variables, set(state.exported), state.folder, path)
        child.positional = tuple(words[1:])
        child.output, child.input = state.output, state.input
        return self._enter(facts.body, child)

    def _source(self, words: list[str], node: tuple, state: _State) -> bool | None:
        path = self._path(words[1], state) if len(words) > 1 else None
        facts = self._open(path)
        if facts is None:
            return None
        script, positional = state.script, state.positional
        state.script = path
        if len(words) > 2:
            state.positional = tuple(words[2:])
        try:
            return self._enter(facts.body, state, "return")
        finally:
            state.script, state.positional = script, positional

    def _invoke(self, body: tuple, given: list[str], state: _State) -> bool | None:
        before, state.positional = state.positional, tuple(given)
        try:
            return self._enter(body, state, "return")
        finally:
            state.positional = before

    def _enter(self, body: tuple, state: _State, ends: str = "exit") -> bool | None:
        if self._depth >= _DEPTH:
            return None
        self._depth += 1
        try:
            return self._body(body, state)
        except _Left as leaving:
            if ends == "return" and leaving.how != "return":
                raise
            return None
        finally:
            self._depth -= 1

    def _open(self, path: str | None) -> Script | None:
        facts = None if path is None or UNKNOWN in path else self._script(path)
        if facts is not None:
            self.scripts[path] = None
        return facts

    # Builtins

    def _cd(self, words: list[str], node: tuple, state: _State) -> bool | None:
        target = next((word for word in words[1:] if not word.startswith("-")), None)
        path = None if target is None else self._path(target, state)
        state.folder = UNKNOWN if path is None else path
        return True

    def _leave(self, words: list[str], node: tuple, state: _State) -> bool | None:
        raise _Left(words[0])

    def _yes(self, words: list[str], node: tuple, state: _State) -> bool | None:
        return words[0] != "false"

    def _setopt(self, words: list[str], node: tuple, state: _State) -> bool | None:
        if "--" in words:
            state.positional = tuple(words[words.index("--") + 1 :])
        return True

    def _shift(self, words: list[str], node: tuple, state: _State) -> bool | None:
        count = int(words[1]) if len(words) > 1 and words[1].isdigit() else 1
        state.positional = state.positional[count:]
        return True

    def _read(self, words: list[str], node: tuple, state: _State) -> bool | None:
        fed = self._input(node[4], state)
        array = words[0] != "read" or "-a" in words
        # "read -d '' x", but "mapfile -t x"
        takes = (
            ("-d", "-n", "-s", "-O", "-u", "-c", "-C")
            if words[0] != "read"
            else ("-d", "-n", "-N", "-p", "-t", "-u", "-i")
        )
        given = [
            word
            for position, word in enumerate(words[1:], 1)
            if not word.startswith("-") and words[position - 1] not in takes
        ]
        for name in given:
            state.variables[name] = tuple(fed.split()) if array else fed.strip()
        return None

    def _echo(self, words: list[str], node: tuple, state: _State) -> bool | None:
        if state.output is not None:
            said = [word for word in words[1:] if word not in ("-n", "-e", "-ne", "-en")]
            self._say(
                " ".join(said) + "\n" if words[0] == "echo" else UNKNOWN if "%" in "".join(said) else "".join(said),
                state,
            )
        return True

    def _pwd(self, words: list[str], node: tuple, state: _State) -> bool | None:
        self._say(UNKNOWN if UNKNOWN in state.folder else posixpath.join(ROOT, state.folder).rstrip("/"), state)
        return True

    def _name(self, words: list[str], node: tuple, state: _State) -> bool | None:
        path = words[-1] if len(words) > 1 else UNKNOWN
        cut = posixpath.dirname if words[0] == "dirname" else posixpath.basename
        self._say(UNKNOWN if UNKNOWN in path else cut(path) or ".", state)
        return True

    def _git(self, words: list[str], node: tuple, state: _State) -> bool | None:
        known = words[1:3] == ["rev-parse", "--show-toplevel"]
        self._say(ROOT if known else UNKNOWN, state)
        return True if known else None

    def _filter(self, words: list[str], node: tuple, state: _State) -> bool | None:
        """A filter in a pipe: ids stay ids, anything else is unknown."""
        self._say(state.input if state.input.startswith(IDS) and words[0] != "wc" else UNKNOWN, state)
        return None

    def _say(self, text: str, state: _State) -> None:
        if state.output is not None:
            state.output.append(text)

    def _input(self, inputs: tuple, state: _State) -> str:
        for kind, given in inputs:
            return self._text(given, state) if kind == "<<<" else self._captured(given, state)
        return state.input

    # Words

    def _fields(self, word: Any, state: _State) -> list[str]:
        """The arguments that a word becomes: none, one or several."""
        if type(word) is str:
            return [word]
        done: list[str] = []
        current: str | None = None
        for part in word:
            if type(part) is str:
                current = (current or "") + part
                continue
            quoted = part[-1] is True
            if part[0] == "@":
                items = list(self._items(part, state))
                if part[2][0] == "*" and quoted:
                    items = [" ".join(items)]
            else:
                items = [self._value(part, state)]
            if not quoted:
                text = " ".join(items)
                pieces = text.split()
                if text[:1].isspace() and current is not None:
                    done.append(current)
                    current = None
                if pieces:
                    pieces[0] = (current or "") + pieces[0]
                    done += pieces[:-1]
                    current = pieces[-1]
                    if text[-1:].isspace():
                        done.append(current)
                        current = None
            elif items:
                items[0] = (current or "") + items[0]
                done += items[:-1]
                current = items[-1]
        return done if current is None else [*done, current]

    def _text(self, word: Any, state: _State) -> str:
        """A word as one string, as in an assignment."""
        if type(word) is str:
            return word
        return "".join(
            [
                part
                if type(part) is str
                else " ".join(self._items(part, state))
                if part[0] == "@"
                else self._value(part, state)
                for part in word
            ]
        )

    def _items(self, part: tuple, state: _State) -> tuple[str, ...]:
        _, name, index, _ = part
        index, _, cut = index.partition(":")
        found = state.positional if name == "@" else self._variable(name, state)
        items = found if isinstance(found, tuple) else () if found is None else (found,)
        if index in ("@", "*"):
            # The positional parameters count from 1.
            return items if not cut else _slice(items, cut, int(name == "@"))
        return _slice(items, f"{index}:1", 0)

    def _variable(self, name: str, state: _State) -> Any:
        if name.isdigit():
            if name == "0":
                return posixpath.join(ROOT, state.script)
            return state.positional[int(name) - 1] if int(name) <= len(state.positional) else None
        if name in state.variables:
            return state.variables[name]
        if name == "BASH_SOURCE":
            return (posixpath.join(ROOT, state.script),)
        if name == "PWD":
            return UNKNOWN if UNKNOWN in state.folder else posixpath.join(ROOT, state.folder).rstrip("/")
        return UNKNOWN if _AMBIENT.match(name) else None

    def _value(self, part: tuple, state: _State) -> str:
        kind = part[0]
        if kind == "(":
            return self._captured(part[1], state)
        if kind != "$":
            return UNKNOWN
        _, name, operator, argument, _ = part
        found = self._variable(name, state)
        if isinstance(found, tuple):
            found = found[0] if found else None
        if not operator:
            return found or ""
        if operator in (":-", ":=", "-", "="):
            unset = not found if operator[0] == ":" else found is None
            if found == UNKNOWN:
                return UNKNOWN
            value = self._text(argument, state) if unset else found
            if operator.endswith("=") and unset:
                state.variables[name] = value
            return value
        if operator in (":+", "+"):
            present = bool(found) if operator == ":+" else found is not None
            return UNKNOWN if found == UNKNOWN else self._text(argument, state) if present else ""
        found = found or ""
        if operator in (":?", "?"):
            return found
        if UNKNOWN in found:
            return UNKNOWN
        if operator == "length":
            return str(len(found))
        if operator in ("^^", ",,"):
            return found.upper() if operator == "^^" else found.lower()
        given = argument if type(argument) is str else self._text(argument, state)
        if UNKNOWN in given:
            return UNKNOWN
        if operator == ":":
            bounds = given.split(":")
            if not all(re.fullmatch(r"\s*-?\d+\s*", bound) for bound in bounds):
                return UNKNOWN
            start = int(bounds[0])
            length = int(bounds[1]) if len(bounds) > 1 else len(found)
            return found[start:][:length] if length >= 0 else found[start:length]
        if operator in ("#", "##", "%", "%%"):
            return _trim(found, operator, given)
        if operator in ("/", "//") and "$" not in given:
            pattern, _, replacement = given.partition("/")
            if not re.search(r"[*?\[]", pattern):
                return found.replace(pattern, replacement, 1 if operator == "/" else -1)
        return UNKNOWN

    def _captured(self, body: tuple, state: _State) -> str:
        fork = state.fork()
        fork.output = []
        with suppress(_Left):
            self._body(body, fork)
        return "".join(fork.output).rstrip("\n")

    # Conditions

    def _holds(self, condition: tuple, state: _State) -> bool | None:
        kind = condition[0]
        if kind == "not":
            inner = self._holds(condition[1], state)
            return None if inner is None else not inner
        if kind == "and":
            left, right = self._holds(condition[1], state), self._holds(condition[2], state)
            return False if left is False or right is False else None if None in (left, right) else True
        if kind == "or":
            left, right = self._holds(condition[1], state), self._holds(condition[2], state)
            return True if left or right else None if None in (left, right) else False
        if kind == "word":
            return _filled(self._text(condition[1], state))
        if kind == "unary":
            return self._unary(condition[1], self._text(condition[2], state), state)
        if kind == "binary":
            left, right = self._text(condition[2], state), self._text(condition[3], state)
            return _binary(condition[1], left, right)
        return None

    def _unary(self, operator: str, text: str, state: _State) -> bool | None:
        if operator in ("-z", "-n"):
            filled = _filled(text)
            return None if filled is None else filled == (operator == "-n")
        if operator in ("-f", "-e", "-d", "-s", "-r"):
            path = self._path(text, state)
            # What is not in the tree may have been built or downloaded.
            return True if path is not None and UNKNOWN not in path and self._exists(path) else None
        if operator == "-v":
            return True if text in state.variables else None
        return None

    # Paths

    def _path(self, word: str, state: _State) -> str | None:
        """A path relative to the root, or None where it lies elsewhere or is unknown."""
        if word.startswith(ROOT):
            word = word[1:].lstrip("/")
        elif word.startswith(("/", "~")) or UNKNOWN in word or UNKNOWN in state.folder:
            return None
        else:
            word = posixpath.join(state.folder, word)
        path = posixpath.normpath(word)
        return None if path.startswith("..") else "" if path == "." else path

    def _place(self, word: str, state: _State) -> str:
        """A path or node id of pytest, relative to the root."""
        path, mark, rest = word.partition("::")
        found = self._path(path, state)
        if found is None and UNKNOWN in state.folder:
            found = posixpath.normpath(path)
        return (path if found is None else found or ".") + mark + rest


def _slice(items: tuple[str, ...], cut: str, first: int) -> tuple[str, ...]:
    """``start:length`` of an array whose first index is ``first``."""
    start, _, length = cut.partition(":")
    if not re.fullmatch(r"-?\d+", start) or not re.fullmatch(r"\d*", length):
        return (UNKNOWN,)
    rest = items[max(int(start) - first, 0) if int(start) >= 0 else int(start) :]
    return rest[: int(length)] if length else rest


def _pytest_at(words: list[str]) -> int | None:
    """Where the arguments of pytest begin, if these words run it."""
    if words[0].rpartition("/")[2] in _PYTEST:
        return 1
    for at, word in enumerate(words[1:], 1):
        if word in _PYTEST and words[at - 1] == "-m":
            return at + 1
        # "coverage run pytest", "uv run pytest", "accelerate launch pytest"
        if word in _PYTEST and words[at - 1] in ("run", "launch", "--"):
            return at + 1
    return None


def _filled(text: str) -> bool | None:
    return bool(text) if UNKNOWN not in text or text.strip(UNKNOWN) else None


def _like(text: str, pattern: str) -> bool | None:
    """Whether a text matches a glob pattern."""
    if UNKNOWN not in text and UNKNOWN not in pattern:
        return text == pattern or fnmatch.fnmatchcase(text, pattern)
    if UNKNOWN in text and UNKNOWN not in pattern:
        if pattern == "*":
            return True
        if not re.search(r"[*?\[]", pattern):
            shape = ".*".join(map(re.escape, text.split(UNKNOWN)))
            return None if re.fullmatch(shape, pattern, re.DOTALL) else False
    return None


def _binary(operator: str, left: str, right: str) -> bool | None:
    if operator in ("==", "!="):
        found = _like(left, right)
        return None if found is None else found == (operator == "==")
    if UNKNOWN in left or UNKNOWN in right:
        return None
    if operator == "=~":
        try:
            return re.search(right, left) is not None
        except re.error:
            return None
    try:
        one, two = int(left), int(right)
    except ValueError:
        return None
    compared = {
        "-eq": one == two,
        "-ne": one != two,
        "-lt": one < two,
        "-le": one <= two,
        "-gt": one > two,
        "-ge": one >= two,
    }
    return compared.get(operator)


def _trim(text: str, operator: str, pattern: str) -> str:
    """``${text#pattern}`` and its three kin."""
    cuts = range(len(text) + 1)
    front = operator[0] == "#"
    # Shortest first for the single sign, longest first for the double one.
    for cut in cuts if len(operator) == 1 else reversed(cuts):
        part, rest = (text[:cut], text[cut:]) if front else (text[len(text) - cut :], text[: len(text) - cut])
        if fnmatch.fnmatchcase(part, pattern):
            return rest
    return text


_COMMANDS = {
    "cmd": Interpreter._cmd,
    "set": Interpreter._set,
    "function": Interpreter._function,
    "if": Interpreter._if,
    "case": Interpreter._case,
    "for": Interpreter._for,
    "while": Interpreter._while,
    "and": Interpreter._and,
    "or": Interpreter._and,
    "not": Interpreter._not,
    "pipe": Interpreter._pipe,
    "group": Interpreter._group,
    "subshell": Interpreter._subshell,
    "test": Interpreter._test,
    "?": Interpreter._nothing,
}
_BUILTINS = {
    "cd": Interpreter._cd,
    "exit": Interpreter._leave,
    "return": Interpreter._leave,
    "break": Interpreter._leave,
    "continue": Interpreter._leave,
    "true": Interpreter._yes,
    "false": Interpreter._yes,
    ":": Interpreter._yes,
    "set": Interpreter._setopt,
    "shift": Interpreter._shift,
    "source": Interpreter._source,
    ".": Interpreter._source,
    "read": Interpreter._read,
    "mapfile": Interpreter._read,
    "readarray": Interpreter._read,
    "echo": Interpreter._echo,
    "printf": Interpreter._echo,
    "pwd": Interpreter._pwd,
    "dirname": Interpreter._name,
    "basename": Interpreter._name,
    "git": Interpreter._git,
    **dict.fromkeys(_FILTERS, Interpreter._filter),
}
_RUNNABLE = (".sh", *_PYTEST)
_TALK = _FILTERS | {"echo", "printf", "pwd", "dirname", "basename", "git", "true", ":"}
