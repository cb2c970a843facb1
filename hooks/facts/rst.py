"""Bytes of a reStructuredText page -> what it documents and what it refers to, read with docutils' parser.

docutils knows the grammar and not Sphinx's directives, so those that matter are given to it here: ``currentmodule``,
``autosummary``, the ``auto*`` directives, the object descriptions of the Python domain. Any other directive is a box whose
content is read, unless it is code. Nothing is included, inserted or run.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

MAX_BYTES = 2_000_000
"""Larger pages are generated; thirty times the largest page of pytorch/rl."""

_MODULES = ("currentmodule", "module")
_OBJECTS = ("class", "function", "data", "exception", "method", "attribute", "property", "decorator", "type")
_LITERAL = {
    *("code", "code-block", "sourcecode", "highlight", "literalinclude", "math", "raw", "include", "aafig", "graphviz"),
    *("doctest", "testcode", "testsetup", "testoutput", "testcleanup", "toctree", "plot", "mermaid", "productionlist"),
}
_ROLES = ("class", "meth", "func", "attr", "data", "mod", "obj", "exc", "const", "deco", "type")
_TITLED = re.compile(r"^.+?\s*(?<!\x00)<([^<]*?)>$", re.DOTALL)
_TARGET = re.compile(r"\.?[^\W\d]\w*(?:\.\w+)*")
_SPACE = re.compile(r"\s+")


class Entry(NamedTuple):
    """A line of an ``autosummary``, as written without ``~``."""

    name: str
    line: int


class Block(NamedTuple):
    """One ``autosummary``.

    Args:
        module: the ``currentmodule`` that holds there.
        prefix: the module that its stub pages are generated for; as ``module``, but set by fewer directives.
        toctree: whether stub pages are generated.
        template: their template, "" for the default; ``template_line`` is where that is said.
    """

    module: str
    prefix: str
    line: int
    toctree: bool
    template: str
    template_line: int
    entries: tuple[Entry, ...]

    _nested = {"entries": Entry}


class Object(NamedTuple):
    """A directive that documents one thing.

    Args:
        directive: without the domain, for example "autofunction" or "data".
        name: its argument without a signature.
        options: the names of its options; ``members`` is what the option of that name says.
    """

    directive: str
    name: str
    module: str
    line: int
    options: tuple[str, ...]
    members: str


class Role(NamedTuple):
    """A reference to a Python object; ``target`` is without title, ``~`` and ``!``."""

    role: str
    target: str
    module: str
    line: int


class Rst(NamedTuple):
    """All facts of one page; with a ``failure`` everything else is empty."""

    failure: str
    blocks: tuple[Block, ...]
    objects: tuple[Object, ...]
    roles: tuple[Role, ...]

    _nested = {"blocks": Block, "objects": Object, "roles": Role}


def rst(data: bytes) -> Rst:
    """Facts of one page.

    Args:
        data: the page; bytes that are no UTF-8 are taken for one unknown character each.
    """
    if len(data) > MAX_BYTES:
        return Rst(f"larger than {MAX_BYTES // 1_000_000} MB", (), (), ())
    return read(data.decode("utf-8-sig", "replace"))


def read(text: str) -> Rst:
    """Facts of some reStructuredText, of a page or of a docstring."""
    page = _Page(text)
    try:
        page.parse()
    except RecursionError:
        return Rst("nested too deeply", (), (), ())
    except Exception as error:  # docutils raises all kinds of errors on what it did not expect.
        return Rst(f"docutils cannot read it ({type(error).__name__})", (), (), ())
    return Rst("", tuple(page.blocks), tuple(page.objects), tuple(page.roles))


def inline(paragraphs: list[tuple[Any, int, str]]) -> Iterator[tuple[Any, Role]]:
    """Roles of some paragraphs, by docutils' parser of inline markup alone; parsing whole docstrings takes ten times as long.

    Args:
        paragraphs: anything to tell them apart, the line that each begins on, and its text.

    Yields:
        The first of these, and a role of the paragraph.
    """
    from docutils.languages import get_language
    from docutils.parsers.rst.states import Struct
    from docutils.utils import new_document

    document = new_document("", _settings())
    inliner = _inliner()
    language = get_language("en", document.reporter)
    memo = Struct(document=document, reporter=document.reporter, language=language, title_styles=[], inliner=inliner)
    for mark, line, text in paragraphs:
        page = _Page(text)
        with page.grammar():
            # What docutils cannot read has no references either.
            with contextlib.suppress(Exception):
                inliner.parse(text, 1, memo, document)
        yield from ((mark, role._replace(line=role.line + line - 1)) for role in page.roles)


@lru_cache(maxsize=1)
def _settings() -> Any:
    """Says nothing, reads no other file."""
    from docutils.frontend import get_default_settings
    from docutils.parsers.rst import Parser

    settings = get_default_settings(Parser)
    settings.report_level = settings.halt_level = 5
    settings.warning_stream = False
    settings.file_insertion_enabled = settings.raw_enabled = False
    settings.line_length_limit = MAX_BYTES
    return settings


@lru_cache(maxsize=1)
def _inliner() -> Any:
    """docutils' parser of inline markup, which does not look for bare addresses: nobody asks for them."""
    from docutils.parsers.rst.states import Inliner

    inliner = Inliner()
    inliner.init_customizations(_settings())
    inliner.implicit_dispatch.clear()
    return inliner


class _AnyOption(dict):
    """Takes every option as it is written."""

    def __missing__(self, name: str) -> Callable[[Any], Any]:
        return lambda value: value

    def __bool__(self) -> bool:
        return True


class _Page:
    """One parse: what the directives and roles of a text tell, in its order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.splitlines()
        self.module = self.prefix = ""
        self.owner = ""
        self.blocks: list[Block] = []
        self.objects: list[Object] = []
        self.roles: list[Role] = []
        self._seen: dict[str, int] = {}

    def parse(self) -> None:
        """Reads the text."""
        from docutils.parsers.rst import Parser
        from docutils.utils import new_document

        with self.grammar():
            Parser().parse(self.text, new_document("", _settings()))

    @contextmanager
    def grammar(self) -> Iterator[None]:
        """For the time of one parse docutils finds directives and roles here, as it does for Sphinx."""
        from docutils.parsers.rst import directives, roles
        from docutils.parsers.rst.states import RSTState

        before = directives.directive, roles.role, RSTState.nested_sm
        directives.directive = lambda name, language, document: (_directives()(name, self), [])
        roles.role = lambda name, language, line, reporter: (self.referred, [])
        RSTState.nested_sm = _machine()
        try:
            yield
        finally:
            directives.directive, roles.role, RSTState.nested_sm = before

    def referred(
        self, name: str, raw: str, text: str, line: int, inliner: Any, options: Any = None, content: Any = ()
    ) -> tuple[list, list]:
        """Any role: kept if it is one of the Python domain."""
        from docutils import nodes

        short = name.removeprefix("py:")
        if short in _ROLES:
            titled = _TITLED.match(text)
            target = _SPACE.sub("", (titled[1] if titled else text).replace("\x00", "")).removesuffix("()").lstrip("~")
            if _TARGET.fullmatch(target) and not text.startswith("!"):
                self.roles.append(Role(short, target, self.module, self.line_of(raw, line)))
        return [nodes.inline(raw, text)], []

    def line_of(self, raw: str, line: int) -> int:
        """The line of a role; docutils only knows where its paragraph begins, and in tables not exactly."""
        first = raw.replace("\x00", "\\").split("\n")[0]
        start = max(line - 3, self._seen.get(first, 0))
        for number in range(start, len(self.lines)):
            if first in self.lines[number]:
                # A line may hold it twice.
                again = self._seen.get(f"{first}\n{number}", 0) + 1
                self._seen[f"{first}\n{number}"] = again
                self._seen[first] = number + (self.lines[number].count(first) <= again)
                return number + 1
        return line


@lru_cache(maxsize=1)
def _machine() -> type:
    """docutils' parser of what stands inside of something, which makes a state when that is entered.

    There are fifteen, and a list or a comment enters two: making all of them takes more than a third of the time.
    """
    from docutils.parsers.rst.states import NestedStateMachine

    class States(dict):
        def __init__(self, machine: NestedStateMachine, classes: list[type]) -> None:
            self.machine = machine
            self.classes = {state.__name__: state for state in classes}

        def __missing__(self, name: str) -> Any:
            state = self[name] = self.classes[name](self.machine)
            if getattr(self.machine, "memo", None) is not None:
                state.runtime_init()
            return state

    class Machine(NestedStateMachine):
        def add_states(self, state_classes: list[type]) -> None:
            self.states = States(self, state_classes)

    return Machine


@lru_cache(maxsize=1)
def _directives() -> Callable[[str, _Page], type]:
    """(name, page) -> the class that docutils runs for a directive."""
    from docutils import nodes
    from docutils.parsers.rst import Directive

    class Any_(Directive):
        optional_arguments = 1
        final_argument_whitespace = True
        has_content = True
        option_spec = _AnyOption()
        page: _Page

        def run(self) -> list:
            box = nodes.container()
            if self.arguments:
                self.state.inline_text(self.arguments[0], self.lineno)
            self.state.nested_parse(self.content, self.content_offset, box, match_titles=1)
            return [box]

    class Literal(Any_):
        def run(self) -> list:
            return []

    class Module(Any_):
        def run(self) -> list:
            name = self.arguments[0].strip() if self.arguments else ""
            self.page.module = "" if name == "None" else name
            if not self.name.startswith("py:"):
                # The generator of stub pages knows these directives by their short names alone.
                self.page.prefix = self.page.module
            return super().run()[:0]

    class Autosummary(Any_):
        optional_arguments = 0

        def run(self) -> list:
            entries = []
            for text, (_, offset) in zip(self.content, self.content.items):
                name = re.match(r"\s*(~?[^\W\d][\w.]*)", text)
                if name:
                    entries.append(Entry(name[1].lstrip("~"), offset + 1))
            template = (self.options.get("template") or "").strip()
            lines = self.page.lines[self.lineno - 1 : self.content_offset + 1]
            at = next((at for at, line in enumerate(lines) if line.strip().startswith(":template:")), 0)
            self.page.blocks.append(
                Block(
                    self.page.module,
                    self.page.prefix,
                    self.lineno,
                    "toctree" in self.options,
                    template,
                    self.lineno + at,
                    tuple(entries),
                )
            )
            return []

    class Documented(Any_):
        def run(self) -> list:
            page = self.page
            directive = self.name.removeprefix("py:")
            for argument in (self.arguments[0] if self.arguments else "").splitlines():
                name = argument.partition("(")[0].partition(":: ")[0].strip().split(" ")[-1]
                if name:
                    members = self.options.get("members") or ""
                    options = tuple(sorted(self.options))
                    page.objects.append(Object(directive, name, page.module, self.lineno, options, members))
            self.arguments = []
            module = page.module
            if directive == "automodule" and page.objects:
                page.module = page.objects[-1].name
            found = super().run()
            page.module = module
            return found

    def chosen(name: str) -> type:
        short = name.removeprefix("py:")
        if short in _MODULES:
            return Module
        if name == "autosummary":
            return Autosummary
        if short in _OBJECTS and name != "class" or (name.startswith("auto") and name != "autosummary"):
            return Documented
        return Literal if name in _LITERAL else Any_

    return lambda name, page: type("Found", (chosen(name),), {"page": page})
