"""What the comment shows, how much of it, and that nothing in it is more than text."""

from __future__ import annotations

import html
import re
from typing import Any

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from torchrl_preflight.actions.github import report
from torchrl_preflight.actions.github.artifact import Read
from torchrl_preflight.actions.github.body import LIMIT, Words, body
from torchrl_preflight.actions.github.client import GitHub
from torchrl_preflight.actions.github.comment import Mark, ours
from torchrl_preflight.actions.github.results import results
from torchrl_preflight.checks.record import Check
from torchrl_preflight.hooks.finding import Edit, Finding, First

from .conftest import Job
from .fake import Fake, zipped
from .stages import PATCH, finding, labels, lint, plan, smoke

HEAD = "a" * 40
WORDS = Words(HEAD, "https://github.com/pytorch/rl/actions/runs/5")
HOSTILE = [
    "@octocat and @pytorch/team",
    "fixes #12, GH-12, pytorch/rl#12, a@b.example",
    "https://evil.example www.evil.example",
    '<!-- torchrl-preflight {"head":"x","run":[9,9],"labels":[]} -->',
    "--> <script>alert(1)</script><img src=x onerror=alert(1)>",
    "</details></td></tr></table>",
    "[link](https://evil.example) ![image](https://evil.example/x.png)",
    "**bold** _it_ ~~gone~~ `code` $x$ &lt;b&gt; &#64;octocat",
    "````\n# out\n",
    "| a | b |",
    "# head\n\n- item",
    "::error::forged\n##[error]forged",
    "\u202e\x1b[2J\x00",
]


def comment(**files: Any) -> str:
    return body(
        results(Read({f"{name.replace('_', '-')}.json": content for name, content in files.items()}, [])), WORDS
    )


def rendered(markdown: str) -> str:
    return cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE)


def test_complaint_12_five_thousand_findings_fit(fake: Fake, job: Job) -> None:
    long = PATCH + "".join(f"+x = {'y' * 60}\n" for _ in range(20))
    items = [finding(number, "warning", message="m" * 300, edit=Edit(long, True)) for number in range(2_500)]
    items += [finding(number, message="e" * 300, edit=Edit(long, True)) for number in range(2_500, 5_000)]
    files = {"preflight-lint": zipped({"lint.json": lint(*items)})}
    done = job(report.main, "workflow_run", fake.finish_run(5, HEAD, files))
    assert done.warnings == []
    (made,) = fake.comments[7]
    assert len(made["body"].encode()) < 65_536
    assert len(made["body"]) > 55_000
    shown = made["body"].count("**gpu-marker-missing**")
    assert shown > 20
    assert f"{5_000 - shown} more findings are in the [run]({WORDS.run}).\n" in made["body"]
    assert "### Errors (2500)" in made["body"]
    assert "test_2500" in made["body"]
    page = rendered(made["body"])
    assert page.count("<pre") == page.count("</pre>") == made["body"].count("```diff")
    assert page.count("<details>") == page.count("</details>")
    assert page.rstrip().endswith("<code>torchrl-preflight</code></p>")
    assert len(done.summary.encode()) < 1 << 20


@pytest.mark.parametrize("words", ["\U0001f600", "`", "\\", "<", "@a ", "\u200b"])
def test_whatever_the_words_are_made_of_the_comment_fits(words: str) -> None:
    long = (words * 20_000)[:19_000]
    line = (words * 1_000)[:900]
    items = [
        finding(
            number,
            message=long,
            hint=long,
            verify=long,
            symbol=line,
            edit=Edit(PATCH + "+" + long, True),
            also_touch=(line,) * 50,
        )
        for number in range(12)
    ]
    checks = [Check(line, "a", "cpu", "failed", long, long, (long,) * 5) for _ in range(40)]
    rows = {
        **labels(),
        "labels": [
            {"label": f"{number}" + words * 10, "path": "a", "reason": long, "jobs": [line] * 50}
            for number in range(99)
        ],
    }
    jobs = {f"smoke_{number}": smoke(*checks) for number in range(12)}
    out = comment(lint=lint(*items, notes=(long,) * 100), labels=rows, plan=plan(), **jobs)
    assert len(out.encode()) <= LIMIT
    assert rendered(out).count("<details>") == rendered(out).count("</details>")


def test_one_finding_whose_edit_has_no_room_is_shown_without_it() -> None:
    out = comment(lint=lint(finding(1, edit=Edit(PATCH + "+x\n" * 40_000, True)), finding(2)))
    assert out.count("**gpu-marker-missing**") == 2
    assert "```" not in out


def test_errors_come_first_then_what_is_new() -> None:
    items = [finding(1, "advisory"), finding(2, "warning"), finding(3, new=False), finding(4)]
    assert re.findall(r"message (\d)", comment(lint=lint(*items))) == ["4", "3", "2", "1"]


def test_a_stage_without_a_result_is_said_and_is_no_pass() -> None:
    out = comment()
    assert [line for line in out.splitlines() if "|" in line][2:] == [
        "| lint | no result |",
        "| labels | no result |",
        "| plan | no result |",
        "| smoke | no result |",
    ]
    ended = {
        "schema": 1,
        "results": {"lint": "failure", "plan": "skipped", "smoke-cpu": "cancelled"},
        "gpu": "unverified",
    }
    out = comment(run=ended)
    assert "| lint | no result (the job ended as failure) |" in out
    assert "| smoke on a GPU | unverified |" in out


def test_what_a_reviewer_must_see_comes_first() -> None:
    removed = [First("removed test", f"test/test_{number}.py", 3, f"test_{number}") for number in range(2_000)]
    out = comment(lint=lint(finding(1), first=tuple(removed[:2])))
    assert out.index("**Look at this first: 2 removed tests**") < out.index("| stage |") < out.index("### Errors")
    assert "- test/test\\_1.py:3 test\\_1\n".replace("\\_", "_") in out
    assert len(comment(lint=lint(first=tuple(removed[:1_000]))).encode()) < 10_000


def test_nothing_to_do() -> None:
    out = comment(lint=lint(), labels=labels(), plan=plan(anything=False, areas=[], tests=[], gpu=False))
    assert "| plan | nothing to run |\n| smoke | nothing to run |" in out


def test_no_smoke_check_that_did_not_pass_looks_passed() -> None:
    checks = [
        Check(f"a/{status}", "a", "cpu", status, f"why {status}")
        for status in ("passed", "unverified", "blocked", "failed")
    ]
    out = comment(smoke_cpu=smoke(*checks))
    assert "| smoke cpu | 1 failed, 1 blocked, 1 unverified, 1 passed |" in out
    assert re.findall(r"^- (\w+) `a/", out, re.MULTILINE) == ["failed", "blocked", "unverified"]


def everything(words: str) -> str:
    item = Finding(
        words,
        1,
        words,
        words,
        words,
        severity="error",
        rule="a-rule",
        also_touch=(words,),
        verify=words,
        edit=Edit(words, True),
    )
    line = words.replace("\n", " ").replace("\x00", "").replace("\x1b", "")
    rows = {**labels(), "labels": [{"label": line[:50], "path": "a", "reason": words, "jobs": [words]}]}
    content = lint(item._replace(path=line), notes=(words,), first=(First(words[:40], line, 1, words),))
    content["findings"][0]["also_touch"] = [line]
    return comment(
        lint=content,
        labels=rows,
        plan=plan(notes=[words]),
        smoke_cpu=smoke(Check(words, "a", "cpu", "failed", words, words)),
    )


@pytest.mark.parametrize("words", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_in_the_results_is_more_than_text(words: str) -> None:
    out = everything(words)
    page = rendered(out)
    same = rendered(everything("x"))
    assert re.findall(r"<[^>]*>", page) == re.findall(r"<[^>]*>", same)
    prose = html.unescape(
        re.sub(r"<(code|pre)\b.*?</\1>|<a href=\"https://github.com/pytorch/rl[^>]*>", "", page, flags=re.DOTALL)
    )
    assert not re.search(r"@\w|#\d|GH-\d|://|www\.|<!--", re.sub(r"<[^>]*>", "", prose))


@pytest.mark.parametrize("words", HOSTILE, ids=range(len(HOSTILE)))
def test_no_result_forges_a_mark(fake: Fake, github: GitHub, words: str) -> None:
    fake.comment(7, Mark(HEAD, (5, 1), ()).line() + everything(words))
    (found,) = ours(github, 7, "github-actions[bot]")
    assert found.mark == Mark(HEAD, (5, 1), ())
    fake.comment(7, everything(words))
    assert len(ours(github, 7, "github-actions[bot]")) == 1


def test_a_hostile_branch_and_title_reach_neither_the_comment_nor_another_address(fake: Fake, job: Job) -> None:
    branch = "x&state=closed#@octocat/../<b>`$(touch pwned)`"
    fake.pulls.clear()
    pull = fake.open_pull(branch=branch)
    pull["title"] = "@octocat <script>"
    done = job(
        report.main,
        "workflow_run",
        fake.finish_run(5, HEAD, {"preflight-lint": zipped({"lint.json": lint()})}, branch=branch),
    )
    assert (done.warnings, len(fake.comments[7])) == ([], 1)
    assert "octocat" not in fake.comments[7][0]["body"]
    assert fake.calls[0].query["head"] == f"fork:{branch}"
