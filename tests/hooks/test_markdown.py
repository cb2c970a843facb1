"""Markdown as GitHub renders it: what a finding says is text, whatever it looks like."""

from __future__ import annotations

import html
import re

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from torchrl_preflight.hooks.finding import Edit
from torchrl_preflight.hooks.report import Style, render
from torchrl_preflight.hooks.report.markdown import code, fenced, text

from .test_report import FORGED, PATCH, finding, report

HOSTILE = [
    *FORGED,
    "@octocat and @pytorch/team",
    "a@b.example",
    "fixes #12, GH-12, pytorch/rl#12",
    "https://evil.example/x http://evil.example www.evil.example",
    "<!-- torchrl-preflight -->",
    "--> <script>alert(1)</script> <img src=x onerror=alert(1)>",
    "</details></details>",
    "[link](https://evil.example) ![image](https://evil.example/x.png)",
    "[ref]: https://evil.example",
    "**bold** _it_ __init__ ~~gone~~ `code` ``two`` $x$ &lt;b&gt; &#64;octocat",
    "````\n# out\n",
    "`",
    "``",
    "\\`x\\",
    "# head",
    "- item",
    "12. item",
    "1) item",
    "===",
    "+ x",
    "> quoted",
    "| a | b |",
    "    indented",
    "",
    " ",
]


def rendered(markdown: str) -> str:
    """HTML, raw tags kept, as GitHub makes it before it looks for mentions, issues and addresses."""
    return cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE)


def plain(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", page)).replace("\u200b", "")


def outside_code(page: str) -> str:
    return re.sub(r"<(code|pre)\b.*?</\1>", "", page, flags=re.DOTALL)


@pytest.mark.parametrize("words", HOSTILE, ids=repr)
def test_words_are_shown_as_they_are(words: str) -> None:
    page = rendered(text(words))
    assert re.fullmatch(r"(<p>[^<]*</p>\n)?", page)
    expected = words.strip()
    if expected.isprintable() and "::" not in expected and "##[" not in expected:
        assert plain(page).rstrip("\n") == expected
    assert not re.search(r"@\w|#\d|GH-\d|://|www\.", html.unescape(page))


@pytest.mark.parametrize("words", HOSTILE, ids=repr)
def test_code_is_shown_as_it_is(words: str) -> None:
    page = rendered(f"x {code(words)} y")
    found = re.fullmatch(r"<p>x <code>([^<]*)</code> y</p>\n", page)
    assert found
    if words.isprintable() and "::" not in words and "##[" not in words:
        assert html.unescape(found[1]) == (words or " ")


@pytest.mark.parametrize("words", HOSTILE, ids=repr)
def test_a_fence_holds_what_is_in_it(words: str) -> None:
    page = rendered(f"{fenced(words, 'diff')}\n\nafter")
    assert re.fullmatch(r'<pre lang="diff"><code>[^<]*</code></pre>\n<p>after</p>\n', page)


@pytest.mark.parametrize("words", HOSTILE, ids=repr)
def test_nothing_in_a_finding_forms_markup(words: str) -> None:
    item = finding(
        1,
        path=words,
        symbol=words,
        message=words,
        hint=words,
        verify=words,
        also_touch=(words,),
        edit=Edit(PATCH.replace("import pytest", words), True),
        suppressed=words,
    )
    same = finding(1, path="p", symbol="s", message="m", hint="h", verify="v", also_touch=("a",), suppressed="w")
    pages = [
        rendered(render("markdown", report([one], notes=[note], fixed=[note]), Style(suppressed=True, again=note)))
        for one, note in ((item, words), (same._replace(edit=Edit(PATCH, True)), "n"))
    ]
    tags = [re.findall(r"<[^>]*>", page) for page in pages]
    if words.strip():
        assert tags[0] == tags[1]
    assert not re.search(r"@\w|#\d|GH-\d|://|www\.", html.unescape(outside_code(pages[0])))


def test_one_finding() -> None:
    item = finding(1, edit=Edit(PATCH, True), also_touch=("docs/a.rst", "b.py"), verify="python -m pytest")
    out = render(
        "markdown", report([item, finding(5, "advisory")], notes=["a note"]), Style(again="torchrl-lint --all")
    )
    assert out == (
        "**1 new error in 3 files judged**\n\n"
        "Compared with `111111111111` (\\--base main).\n\n"
        "### Errors (1)\n\n"
        "`test/test_1.py:2` **rule-1** `test_1`\n\n"
        "message 1\n\n"
        "What to do: hint 1\n\n"
        f"<details><summary>Edit</summary>\n\n```diff\n{PATCH}```\n\n</details>\n\n"
        "Change with it: `docs/a.rst`, `b.py`\n\n"
        "Verify: `python -m pytest`\n\n"
        "<details><summary>Advisories (1)</summary>\n\n"
        "`test/test_5.py:6` **rule-2** `test_5`\n\nmessage 5\n\nWhat to do: hint 5\n\n"
        "</details>\n\n"
        "Note: a note\n\n"
        "Run again: `torchrl-lint --all`\n"
    )


def test_names_with_underscores_stay_readable() -> None:
    assert text("gpu_marker of __init__ in a_b.py") == "gpu_marker of \\_\\_init\\_\\_ in a_b.py"
