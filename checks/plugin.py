"""The pytest plugin of the child: fixtures and marks of the checks, and one record a check as it ends."""

from __future__ import annotations

import faulthandler
import importlib
import random
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from . import areas
from .needs import unmet
from .outcome import Failed, Unverified
from .record import Check, Entry
from .seed import reseed
from .table import known, row
from .troubles import blocks, hint

LIMIT = 60.0  # seconds that a check may take unless its mark says otherwise: it takes well under one
LONGEST = 1000  # characters of a reason


class Area(pytest.Module):
    """A check module, imported by its name in this package wherever its file stands, so that relative imports work."""

    failed: Callable[[str, BaseException], None]  # told of what importing the module raised

    def _getobj(self) -> Any:
        return importlib.import_module(f"{areas.__name__}.{self.path.stem}")

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        try:
            return list(super().collect())
        except (Exception, pytest.skip.Exception) as error:
            self.failed(self.path.stem, error)
            return []


class Plugin:
    """Runs the checks of a job and says what became of each.

    Args:
        job: ``mode``, ``areas``, ``tier``, ``steps``, ``device`` and the ids that are ``done``.
        say: writes one event.
        log: where the stack goes when a check exceeds its limit.
    """

    def __init__(self, job: dict[str, Any], say: Callable[..., None], log: Any) -> None:
        self.job, self.say, self.log = job, say, log
        self.outcome, self.reason, self.hint = "passed", "", ""
        self.notes: list[str] = []
        self.warnings: dict[str, None] = {}
        torch.set_num_threads(
            1
        )  # the tensors of checks are small: threads that wait for each other cost more than they do
        areas.__path__ += [str(Path(file).parent) for file in job["areas"] if Path(file).parent != areas.FOLDER]

    # what a check may ask for

    @pytest.fixture
    def steps(self) -> int:
        """Environment steps of a rollout."""
        return self.job["steps"]

    @pytest.fixture
    def check_specs(self) -> bool:
        """Whether a rollout is to be judged by torchrl's own `check_env_specs`, too."""
        return self.job.get("check_specs", False)

    @pytest.fixture
    def device(self, request: pytest.FixtureRequest) -> torch.device:
        """The device to run on. A check that takes it is run once for each device that was asked for."""
        return torch.device(request.param)

    @pytest.fixture
    def note(self) -> Callable[[str], None]:
        """Adds a remark to a check that passes."""
        return self.notes.append

    # collection

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "needs(*names): what the check needs, see needs.py; unverified without")
        config.addinivalue_line("markers", "limit(seconds): how long the check may take")
        config.addinivalue_line("markers", "tier(name): the tier of the check, cpu unless said")

    def pytest_pycollect_makemodule(self, module_path: Path, parent: pytest.Collector) -> pytest.Module:
        area = Area.from_parent(parent, path=module_path)
        area.failed = self._uncollected
        return area

    def _uncollected(self, area: str, error: BaseException) -> None:
        """An area whose module cannot be imported is one check with that outcome."""
        if area in self.job["done"]:
            return
        skipped = isinstance(error, pytest.skip.Exception)
        words = str(error) if skipped else f"{type(error).__name__}: {error}"
        check = Check(area, area, self.job.get("tier", "cpu"), "unverified" if skipped else "failed")
        check = check._replace(reason=" ".join(words.split())[:LONGEST], hint=getattr(error, "hint", "") or hint(error))
        self.say(check=check._asdict())

    @pytest.hookimpl(tryfirst=True)
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        marks = metafunc.definition.own_markers
        if self.job.get("tier") == "cpu" and all(mark.name != "tier" for mark in marks):
            marks[:] = [_of_no_tier(mark) for mark in marks]
        if "device" in metafunc.fixturenames:
            devices = {"cpu": ["cpu"], "cuda": ["cuda"], "auto": ["cpu", "cuda"]}[self.job["device"]]
            metafunc.parametrize("device", devices, indirect=True)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.job["mode"] == "list":
            for item in items:
                it = _identity(item)
                lines = (item.obj.__doc__ or "").strip().splitlines()
                self.say(entry=Entry(it.id, it.area, it.tier, tuple(_needs(item)), lines[0] if lines else "")._asdict())
            items.clear()
            return
        items[:] = [
            item
            for item, it in ((item, _identity(item)) for item in items)
            if it.tier == self.job["tier"] and it.id not in self.job["done"]
        ]
        self.say(total=len(items))

    # running

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """One check, from its start to its record; outermost, so that its warnings are known at the end."""
        it = _identity(item)
        mark = item.get_closest_marker("limit")
        limit = float(mark.args[0]) if mark else LIMIT
        self.outcome, self.reason, self.hint = "passed", "", ""
        self.notes.clear()
        self.warnings.clear()
        self.say(start={"id": it.id, "area": it.area, "tier": it.tier}, limit=limit)
        faulthandler.dump_traceback_later(limit, exit=True, file=self.log)
        began = time.perf_counter()
        try:
            return (yield)
        finally:
            seconds = round(time.perf_counter() - began, 3)
            faulthandler.cancel_dump_traceback_later()
            reason = self.reason or "; ".join(self.notes)
            check = it._replace(status=self.outcome, reason=reason, hint=self.hint, warnings=tuple(self.warnings))
            self.say(check=check._replace(seconds=seconds)._asdict())

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        random.seed(0)
        reseed(0)
        for need in _needs(item):
            _demand(need)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        report = yield
        if call.excinfo is not None and self.outcome != "failed":
            self.outcome = "unverified" if report.skipped else "blocked" if blocks(call.excinfo.value) else "failed"
            self.reason = _reason(call.excinfo)
            self.hint = getattr(call.excinfo.value, "hint", "") or ("" if report.skipped else hint(call.excinfo.value))
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Iterator[None]:
        """A check that its area's table lists among the ``[[known]]`` is judged by that row."""
        table = getattr(pyfuncitem.module, "TABLE", {})
        it = _identity(pyfuncitem)
        with known(row(table, it.id.removeprefix(f"{it.area}/")), self.notes.append):
            return (yield)

    def pytest_warning_recorded(self, warning_message: Any, when: str) -> None:
        if when == "runtest":
            place = f"{warning_message.filename}:{warning_message.lineno}"
            self.warnings[f"{warning_message.category.__name__}: {warning_message.message} ({place})"] = None


def _of_no_tier(mark: pytest.Mark) -> pytest.Mark:
    """A sweep without the cases of other tiers than the cpu one, of which there are so many that making them takes a while."""
    if mark.name != "parametrize":
        return mark
    names, cases = mark.args
    cases = list(cases)
    kept = [case for case in cases if all(one.name != "tier" for one in getattr(case, "marks", ()))]
    return pytest.Mark(mark.name, (names, kept or cases), mark.kwargs, _ispytest=True)


def _identity(item: pytest.Item) -> Check:
    """The record of a check that has not ended yet."""
    cases = _cases(item)
    # a sweep over no class at all has a parameter that is no string
    named = [case for name, case in cases.items() if name != "device" and isinstance(case, str)]
    area = item.path.stem
    mark = item.get_closest_marker("tier")
    where = "" if cases.get("device", "cpu") == "cpu" else f"@{cases['device']}"
    name = item.originalname.removeprefix("test_")
    return Check("/".join([area, name, *named]) + where, area, mark.args[0] if mark else "cpu", "passed")


def _cases(item: pytest.Item) -> dict[str, Any]:
    """The parameters of one check of a sweep."""
    return item.callspec.params if hasattr(item, "callspec") else {}


def _needs(item: pytest.Item) -> list[str]:
    marked = [need for mark in item.iter_markers("needs") for need in mark.args]
    return marked + (["cuda"] if _cases(item).get("device") == "cuda" else [])


def _demand(need: str) -> None:
    trouble = unmet(need)
    if trouble:
        raise Unverified(*trouble)


def _reason(excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    """An exception in one line, with the place that raised it unless it speaks for itself."""
    if isinstance(excinfo.value, (Unverified, Failed, pytest.skip.Exception, pytest.fail.Exception)):
        return " ".join(str(excinfo.value).split())[:LONGEST]
    place = excinfo.traceback[-1]
    return f"{' '.join(excinfo.exconly().split())[:LONGEST]} ({place.path}:{place.lineno + 1})"
