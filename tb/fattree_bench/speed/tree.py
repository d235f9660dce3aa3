"""A case of `make bench` in this tree: built, and measured by model and kind of stimulus."""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from fattree_bench.families.speed import speed_of
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError, Built, build
from fattree_bench.sim.simulate import run_module
from fattree_bench.speed.bare import build_bare

COVERAGE_LEAVES = 64  # the size at which the cost of functional coverage is measured
CLASSIC_ROWS = 16

T = TypeVar("T")
Cost = dict[str, float]


def costed(builds: dict[str, Cost], model: str, make: Callable[[], T]) -> T:
    """Make something with a `folder`; CPU seconds, wall seconds and bytes of C++ of that."""
    before, start = os.times(), time.perf_counter()
    made = make()
    after, end = os.times(), time.perf_counter()
    folder = getattr(made, "folder", None)
    if folder is not None:
        builds[model] = {
            "cpu": sum(after[:4]) - sum(before[:4]),
            "wall": end - start,
            "code": sum(p.stat().st_size for s in ("cpp", "h") for p in folder.glob(f"Vtop*.{s}")),
        }
    return made


class Tree:
    """A case that is built; `builds` is what that cost, by model.

    server.py of later commits imports this class: name, arguments, `builds` and `measure` stay.
    """

    def __init__(self, values: Mapping[str, str], kinds: Sequence[str]) -> None:
        self.settings = settings = v.check({"NATIVE": "1", **values})
        self.kinds = kinds
        self.speed = speed_of(settings.network.name)
        self.builds: dict[str, Cost] = {}
        self.built = {"FRAME": costed(self.builds, "verified", lambda: build(settings, "FRAME"))}
        self.bare = None
        if settings.sim == "verilator":
            played = tuple(kind for kind in kinds if kind != "classic")
            make_bare = lambda: build_bare(settings, self.speed, played)  # noqa: E731
            self.bare = costed(self.builds, "bare", make_bare)
        if "classic" in kinds:
            self.built["CLASSIC"] = costed(
                self.builds, "classic", lambda: build(settings, "CLASSIC")
            )

    def wanted(self) -> list[tuple[str, str]]:
        """Models and kinds of stimulus, in the order of a turn."""
        models = ["bare", "verified"] if self.bare else ["verified"]
        if self.settings.network.leaves == COVERAGE_LEAVES:
            models.append("blind")
        return [
            (model, kind)
            for kind in self.kinds
            for model in (["verified"] if kind == "classic" else models)
        ]

    def measure(self, model: str, kind: str, seconds: float) -> dict[str, Any] | None:
        """What one model does with one kind of stimulus; None if this tree has no such model."""
        if model == "bare":
            return self.bare.measure(kind, seconds) if self.bare else None
        settings = self.settings.but(coverage=False) if model == "blind" else self.settings
        built = self.built["CLASSIC" if kind == "classic" else "FRAME"]
        return self._play(settings, built, kind, seconds)

    def _play(
        self, settings: v.Variables, built: Built, kind: str, seconds: float
    ) -> dict[str, Any]:
        """Play one kind of stimulus through the whole pyuvm environment."""
        network = settings.network
        rows = CLASSIC_ROWS if kind == "classic" else network.traffic_rows(settings.sim)
        folder, ending = run_module(
            settings,
            built,
            "fattree_bench.speed.entry",
            {
                "scenarios": [],
                "rows": self.speed.rows(network, rows),
                "stimulus": kind,
                "cpu_seconds": seconds,
            },
        )
        figures = folder / "figures.json"
        if ending.problem or not figures.exists():
            log = folder / "sim.log"
            raise BuildError(f"the benchmark did not finish: {ending.problem}; log: {log}")
        found: dict[str, Any] = json.loads(figures.read_text())
        return found
