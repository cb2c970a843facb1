"""What the contribution rules ask for and no rule judges, with the reason; docs/rules.md prints it."""

from __future__ import annotations

from typing import NamedTuple


class Omission(NamedTuple):
    """One thing that is not judged.

    Args:
        section: of CLAUDE.md of pytorch/rl, "tensordict" for what only that repository asks for.
        asked: what is asked for.
        why: why no rule reports it.
    """

    section: str
    asked: str
    why: str


OMISSIONS = (
    Omission("-", "Read the rules from end to end before editing", "A change does not show what its author has read."),
    Omission(
        "1",
        "An optional import cached on self; TYPE_CHECKING before an import inside a circle",
        "Both are preferences among ways that work; import-in-function asks for the flag and is silent inside a circle.",
    ),
    Omission(
        "2",
        "Dispatch with implement_for on whatever depends on a version",
        "version-branch-by-hand finds comparisons; a branch on "
        "hasattr or on a caught error may mean a version or something else.",
    ),
    Omission(
        "4",
        "Take and return tensordicts; no other dict-like containers",
        "What a parameter holds and what a class stands for is not "
        "written down; torchrl-smoke looks at what comes back.",
    ),
    Omission(
        "5",
        "A hint of what is returned",
        "Two in five public functions have none and are merged like that; type-hint-missing asks for those of parameters.",
    ),
    Omission(
        "5",
        "Hints are accurate",
        "It takes a type checker that knows tensordict's classes, which the repository does not run.",
    ),
    Omission(
        "5",
        "Whether a key can never be nested, whether a set of strings is closed",
        "Both depend on intent, so the rules about them only advise.",
    ),
    Omission(
        "6",
        "torch.where and masks instead of if on tensor values",
        "Whether a condition is a tensor is known when it runs, not before.",
    ),
    Omission(
        "6", "No data-dependent shapes, stable dtypes and devices", "Shapes, dtypes and devices exist at run time only."
    ),
    Omission(
        "6",
        "No .item() on hot paths (item-on-hot-path)",
        "Not built: which path is hot is not written down, and maintainers merge .item() in "
        "collectors and losses where it is the point.",
    ),
    Omission(
        "6",
        "Check hot paths under torch.compile and cudagraphs",
        "A check that somebody has made leaves no trace; the compile tier of torchrl-smoke makes it.",
    ),
    Omission(
        "6a",
        "Derive the placement from the tensor at hand; keep tensor state in buffers",
        "module-device-state reports the cached device; which "
        "tensor is the right one to ask, and which plain tensor is state, only the author knows.",
    ),
    Omission(
        "7",
        "No new test file where one covers the area",
        "Not built: areas have no borders in the tree, and maintainers split large test files into new ones.",
    ),
    Omission(
        "7",
        "A test with a nested key for every key that a module takes",
        "Tests pass keys through fixtures and parameters, so their absence cannot be shown.",
    ),
    Omission(
        "7b",
        "Set the label first, then push",
        "The order of two actions on GitHub is not part of a change; the label rules say which labels are due.",
    ),
    Omission(
        "8",
        "Examples run",
        "Running them takes their environments; docstring-example-missing asks for their presence only.",
    ),
    Omission(
        "8",
        "A paper is cited where an implementation follows one",
        "Nothing in the code says so before the docstring does; paper-reference asks for the link once it does.",
    ),
    Omission("9", "A tutorial for every headline feature", "What is a headline is decided by people."),
    Omission(
        "10",
        "A benchmark for every change of a hot path (benchmark-missing)",
        "Not built: most such changes are merged without one, and whether one was due depends on what a change is for.",
    ),
    Omission(
        "11",
        "The script of an algorithm runs",
        "The smoke list of CI runs it; sota-parity asks that it is in that list.",
    ),
    Omission(
        "13",
        "The most specific tag; each commit makes sense alone",
        "Both are a matter of judgement; pr-title-tag knows the tags only.",
    ),
    Omission("14, 15", "Follow a recent pull request in the same area", "Conventions that are worth a rule have one."),
    Omission("-", "Generated version files are not committed", "Not built: .gitignore keeps them out."),
    Omission(
        "tensordict",
        "Extend the container classes instead of writing others",
        "As in section 4: what a class stands for is not written down.",
    ),
    Omission(
        "tensordict",
        "In-place operations keep the storage, or the object, by their name",
        "Which storage is shared is known at run time only.",
    ),
    Omission(
        "tensordict",
        "Extend test_compile.py and benchmarks/compile instead of a new harness",
        "As in section 7: maintainers start new files, and which one covers an area is not written down.",
    ),
)
