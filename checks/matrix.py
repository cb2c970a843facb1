"""The jobs of a plan, in the form of GitHub's matrix: shards that take about as long as each other."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from . import toml
from .index import Stated

MOST = 256  # jobs that GitHub takes of one matrix
SHARD = 15.0  # minutes of tests that are worth a job of their own, which installs torch and torchrl first
TIERS = ("cpu", "full", "mp", "compile")  # those that a machine without a GPU runs; `optional` needs packages first


def jobs(checks: Sequence[Stated], tests: Sequence[str], for_gpu: Sequence[str]) -> list[dict[str, Any]]:
    """The entries of the matrix.

    Args:
        checks: of the areas to run.
        tests: files to run on a CPU.
        for_gpu: those with tests that need a GPU.
    """
    found = [_smoke(f"smoke-{tier}", tier, checks, "cpu") for tier in TIERS]
    if for_gpu:
        found.append(_smoke("smoke-gpu", "gpu", checks, "cuda"))
        found.append(_smoke("smoke-cuda", "cpu", [check for check in checks if check.device], "cuda"))
    found = [job for job in found if job["areas"]]
    shards = [("cpu", shard) for shard in balanced(tests, MOST // 2 - len(found))]
    shards += [("cuda", shard) for shard in balanced(for_gpu, MOST // 2 - len(found))]
    for device in ("cpu", "cuda"):
        own = [shard for where, shard in shards if where == device]
        tier = "cpu" if device == "cpu" else "gpu"
        found += [
            _job(f"tests-{device}-{number}", device, tier, (), shard, sum(map(minutes, shard)))
            for number, shard in enumerate(own, 1)
        ]
    return found


def balanced(tests: Sequence[str], most: int) -> list[list[str]]:
    """Test files in as few shards as end within `SHARD`, or with the longest file where that takes more; at most ``most``."""
    longest = max(map(minutes, tests), default=0.0)
    shards: list[list[str]] = []
    for count in range(1, min(len(tests), most) + 1):
        shards = _spread(tests, count)
        if max(sum(map(minutes, shard)) for shard in shards) <= max(SHARD, longest):
            break
    return shards


def _spread(tests: Sequence[str], count: int) -> list[list[str]]:
    """The longest first, each to the shard that has least."""
    shards: list[tuple[float, int, list[str]]] = [(0.0, number, []) for number in range(count)]
    for test in sorted(tests, key=lambda test: (-minutes(test), test)):
        spent, number, own = heapq.heappop(shards)
        heapq.heappush(shards, (spent + minutes(test), number, [*own, test]))
    return [sorted(own) for _, _, own in sorted(shards, key=lambda shard: shard[1])]


@cache
def minutes(test: str) -> float:
    """How long a test file takes, as recorded; one that was never measured takes the middle of all others."""
    recorded = _durations()["tests"]
    if test in recorded:
        return recorded[test]
    return sorted(recorded.values())[len(recorded) // 2]


def _smoke(name: str, tier: str, checks: Iterable[Stated], device: str) -> dict[str, Any]:
    areas = tuple(dict.fromkeys(check.area for check in checks if tier in check.tiers))
    recorded = _durations()["smoke"]
    took = recorded["start"] + sum(recorded.get(tier, {}).get(area, recorded["unknown"]) for area in areas)
    return _job(name, device, tier, areas, (), took)


def _job(name: str, device: str, tier: str, areas: Sequence[str], tests: Sequence[str], took: float) -> dict[str, Any]:
    return {
        "name": name,
        "device": device,
        "tier": tier,
        "areas": ",".join(areas),
        "tests": " ".join(tests),
        "minutes": round(took, 1),
    }


@cache
def _durations() -> dict[str, dict[str, Any]]:
    return toml.read(Path(__file__).with_name("durations.toml"))
