"""Builds a case of `make bench` in the tree that is on the path, and measures it on request.

A script, for that tree may be of an older commit: how those were laid out is known here alone.
Requests and answers are lines of JSON.  First {"values": variables, "kinds": of stimulus}, answered
with {"builds": what they cost, "unknown": variables that the tree has not}, or with {"error": …};
then [model, kind, seconds] again and again, answered with figures, or null: it has no such thing.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Cost = dict[str, float]
PACKAGE = Path("tb") / "fattree_bench"  # in the tree, which is the current folder


class Measurable(Protocol):
    """A case that is built; `builds` is what that cost, by model."""

    builds: dict[str, Cost]

    def measure(self, model: str, kind: str, seconds: float) -> dict[str, Any] | None: ...


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


class Older:
    """A case in a tree from before `speed.tree` was, in one of two layouts."""

    def __init__(self, values: dict[str, str], kinds: list[str]) -> None:
        more: tuple[Any, ...] = ()
        names = ["tb.run.bench", "tb.run.bare", "tb.run.build", "tb.run.variables"]
        if PACKAGE.exists():
            names = ["speed.command", "speed.bare", "sim.build", "sim.variables"]
            names = [f"fattree_bench.{name}" for name in names]
            speeds: Any = import_module("fattree_bench.families.speed")
            more = (speeds.speed_of(values["NETWORK"]),)
        modules: list[Any] = [import_module(name) for name in names]
        self.command, bare, build, variables = modules
        self.more = more
        self.settings = settings = variables.check(values)
        self.builds: dict[str, Cost] = {}
        make = build.build
        self.built = {"FRAME": costed(self.builds, "verified", lambda: make(settings, "FRAME"))}
        if "classic" in kinds:
            self.built["CLASSIC"] = costed(
                self.builds, "classic", lambda: make(settings, "CLASSIC")
            )
        self.bare: Any = None
        if settings.sim == "verilator":
            make_bare = partial(bare.build_bare, settings, *more)
            self.bare = costed(self.builds, "bare", make_bare)

    def measure(self, model: str, kind: str, seconds: float) -> dict[str, Any] | None:
        if model == "verified":
            built = self.built["CLASSIC" if kind == "classic" else "FRAME"]
            found: dict[str, Any] = self.command.measure(
                self.settings, built, *self.more, kind, seconds
            )
            return found
        if model != "bare" or self.bare is None or kind != "repeated":  # there was no other
            return None
        self.bare.measure(seconds)
        kib = 1024 * self.bare.memory_mib
        return {"passed": True, "packets": self.bare.rate, "seconds": 1.0, "memory_kib": kib}


def opened(values: dict[str, str], kinds: list[str]) -> Measurable:
    """A case in whatever tree this is: the present package may be installed, too."""
    if (PACKAGE / "speed" / "tree.py").exists():
        tree: Any = import_module("fattree_bench.speed.tree")
        made: Measurable = tree.Tree(values, kinds)
        return made
    return Older(values, kinds)


def known(values: dict[str, str], kinds: list[str]) -> tuple[Measurable, list[str]]:
    """A case, and the variables that the tree has not: they are left out."""
    unknown: list[str] = []
    while True:
        try:
            return opened({k: x for k, x in values.items() if k not in unknown}, kinds), unknown
        except Exception as error:
            name, told, _ = str(error).partition(": no such variable")
            if not told or name in unknown or name not in values:
                raise
            unknown.append(name)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever else is printed is no answer

    def answer(what: object) -> None:
        print(json.dumps(what), file=answers, flush=True)

    case = json.loads(sys.stdin.readline())
    try:
        tree, unknown = known(case["values"], case["kinds"])
    except Exception as error:
        answer({"error": (str(error) or repr(error)).splitlines()[0]})
        return
    answer({"builds": tree.builds, "unknown": unknown})
    for line in sys.stdin:
        answer(tree.measure(*json.loads(line)))


if __name__ == "__main__":
    main()
