"""Shell scripts as facts: nested tuples with lines."""

from __future__ import annotations

import marshal
from textwrap import dedent

import pytest
from torchrl_preflight.hooks.facts.records import plain, revive
from torchrl_preflight.hooks.facts.records_ci import Script
from torchrl_preflight.hooks.facts.shell import script


def body(text: str) -> tuple:
    found = script(dedent(text).encode())
    assert found.opaque == ()
    return found.body


def test_simple_command_with_assignments_and_words() -> None:
    assert body("""MUJOCO_GL=egl python -m pytest "a b" 'c' pre${X}post\n""") == (
        (
            "cmd",
            1,
            (("MUJOCO_GL", "=", "egl"),),
            ("python", "-m", "pytest", "a b", "c", ("pre", ("$", "X", "", None, False), "post")),
            (),
        ),
    )


def test_white_space_within_quotes_is_kept() -> None:
    (node,) = body('x+="--ignore ${p} and  $q "\n')
    assert node == (
        "set",
        1,
        "",
        (("x", "+=", ("--ignore ", ("$", "p", "", None, True), " and  ", ("$", "q", "", None, True), " ")),),
    )


def test_declarations_and_arrays() -> None:
    assert body("""
        export A=1 B
        local c="${D:-e}"
        F=(-m 'not gpu' "${G[@]}"
           # a remark
           ${H[*]})
        unset A
    """) == (
        ("set", 2, "export", (("A", "=", "1"), ("B", "=", None))),
        ("set", 3, "local", (("c", "=", (("$", "D", ":-", "e", True),)),)),
        (
            "set",
            4,
            "",
            (("F", "=", ("array", ("-m", "not gpu", (("@", "G", "@", True),), (("@", "H", "*", False),)))),),
        ),
        ("set", 7, "unset", (("A", "=", None),)),
    )


def test_branches_and_loops() -> None:
    assert body("""
        if [[ "$A" == x* ]] && [ -z "${B}" ]; then
          one
        elif ! two; then
          three
        else
          four
        fi
        case "$A" in
          1|all|"") five ;;
          *) exit 2 ;;
        esac
        for p in a "${L[@]}"; do six "$p"; done
        while read -r T; do seven; done <<< "$IDS"
    """) == (
        (
            "if",
            2,
            (
                (
                    (
                        (
                            "and",
                            2,
                            ("test", 2, ("binary", "==", (("$", "A", "", None, True),), "x*")),
                            ("test", 2, ("unary", "-z", (("$", "B", "", None, True),))),
                        ),
                    ),
                    (("cmd", 3, (), ("one",), ()),),
                ),
                ((("not", 4, ("cmd", 4, (), ("two",), ())),), (("cmd", 5, (), ("three",), ()),)),
            ),
            (("cmd", 7, (), ("four",), ()),),
        ),
        (
            "case",
            9,
            (("$", "A", "", None, True),),
            (
                (("1", "all", ""), (("cmd", 10, (), ("five",), ()),)),
                (("*",), (("cmd", 11, (), ("exit", "2"), ()),)),
            ),
        ),
        (
            "for",
            13,
            "p",
            ("a", (("@", "L", "@", True),)),
            (("cmd", 13, (), ("six", (("$", "p", "", None, True),)), ()),),
        ),
        (
            "while",
            14,
            (("cmd", 14, (), ("read", "-r", "T"), ()),),
            (("cmd", 14, (), ("seven",), ()),),
            (("<<<", (("$", "IDS", "", None, True),)),),
        ),
    )


def test_functions_pipes_lists_and_groups() -> None:
    assert body("""
        f() { a; }
        b | c
        d && e || g
        ( h ) &
        ! i
    """) == (
        ("function", 2, "f", (("cmd", 2, (), ("a",), ()),)),
        ("pipe", 3, (("cmd", 3, (), ("b",), ()), ("cmd", 3, (), ("c",), ()))),
        ("or", 4, ("and", 4, ("cmd", 4, (), ("d",), ()), ("cmd", 4, (), ("e",), ())), ("cmd", 4, (), ("g",), ())),
        ("subshell", 5, (("cmd", 5, (), ("h",), ()),)),
        ("not", 6, ("cmd", 6, (), ("i",), ())),
    )


def test_expansions() -> None:
    (node,) = body('x ${A:0:2} ${A#refs/} ${#A} ${A/x/y} $@ "$*" $(f 1) ${A[0]}\n')
    assert node[3][1:] == (
        (("$", "A", ":", "0:2", False),),
        (("$", "A", "#", "refs/", False),),
        (("$", "A", "length", None, False),),
        (("$", "A", "/", "x/y", False),),
        (("@", "@", "@", False),),
        (("@", "@", "*", True),),
        (("(", (("cmd", 1, (), ("f", "1"), ()),), False),),
        (("@", "A", "0", False),),
    )


def test_the_program_of_bash_c_keeps_its_lines() -> None:
    assert body("""
        setsid bash -c '
        pytest test \\
          --runslow
        ' > log
    """) == (
        (
            "cmd",
            2,
            (),
            ("setsid", "bash", "-c", (("code", (("cmd", 3, (), ("pytest", "test", "--runslow"), ()),)),)),
            (),
        ),
    )


def test_comments_and_heredocs_are_not_commands() -> None:
    found = script(b"# pytest test\ncat <<EOF\npytest test\nEOF\n")
    assert found.body == (("cmd", 2, (), ("cat",), ()),)
    assert (found.pytest, found.calls) == (False, ())


@pytest.mark.parametrize(
    ("text", "pytest_", "calls"),
    [
        ("python -m pytest test", True, ()),
        ("pip install pytest pytest-cov", False, ()),
        ("bash .github/a/run.sh && ./install.sh x", False, ("install.sh", "run.sh")),
        ('source "$env/bin/activate"', False, ()),
        ('"$DIR/run_test.sh"', False, ("run_test.sh",)),
        ('bash "$script"', False, ("",)),
        ("x=$(pytest --collect-only)", True, ()),
    ],
)
def test_what_a_script_may_come_to(text: str, pytest_: bool, calls: tuple[str, ...]) -> None:
    found = script(text.encode())
    assert (found.pytest, found.calls) == (pytest_, calls)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\0",
        b"if",
        b"(" * 10_000,
        b"$(" * 5_000,
        b'echo "${a:-' * 3_000,
        b"\xff\xfe case x in",
        b"a" * 1_000_000,
        b"for ((;;)); do x; done",
        b"(( i++ ))",
        b"${{ github.ref }}",
        b"a=(",
        b"case x in",
        b"x <<EOF",
    ],
)
def test_bad_input_gives_facts(data: bytes) -> None:
    assert isinstance(script(data), Script)


def test_what_cannot_be_read_is_marked_and_the_rest_kept() -> None:
    found = script(b'first\nif [[ "${{ x }}" == y ]]; then\n  second\nfi\nthird\n')
    assert [node[0] for node in found.body] == ["cmd", "if", "cmd"]
    assert found.body[1][2][0][0][0] == ("test", 2, ("binary", "==", (("?", "${{ x }}"),), "y"))
    damaged = script(b"first\n;;\nthird\n")
    assert damaged.body == (("cmd", 1, (), ("first",), ()), ("?", 2), ("cmd", 3, (), ("third",), ()))
    assert damaged.opaque == (2,)


def test_facts_survive_the_store() -> None:
    facts = script(b'f() { pytest "${A[@]}"; }\nf || exit 1\n')
    assert revive(Script, marshal.loads(marshal.dumps(plain(facts)))) == facts
