"""What cocotb loads for `make bench`: one scenario played for a while, every part of it timed."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cocotb

from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.environment import Scoreboard
from fattree_bench.bench.links.agent import FrameDriver
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.speed import speed_of
from fattree_bench.sim.entry import NETWORK, PLAN, port, run

SPENT: defaultdict[str, float] = defaultdict(float)  # CPU seconds by part
WINDOW: dict[str, float] = {}
PARTS: dict[str, float] = {}  # what was spent when the window ended: draining is not measured
SPEED = speed_of(NETWORK.name)
KIND = PLAN["stimulus"]


def timed(plain: Callable[..., Any], part: str) -> Callable[..., Any]:
    """The same function, its CPU time added to a part."""

    def wrapped(*args: Any) -> Any:
        start = time.process_time()
        value = plain(*args)
        SPENT[part] += time.process_time() - start
        return value

    return wrapped


def timed_burst(port_type: Any) -> None:
    """The simulator's part: a burst from start to end, without what the monitor sets off."""
    plain = port_type.burst

    async def wrapped(port: Any, cycles: int) -> None:
        start, checked = time.process_time(), SPENT["scoreboard"]
        await plain(port, cycles)
        SPENT["simulator"] += time.process_time() - start - (SPENT["scoreboard"] - checked)

    port_type.burst = wrapped


def timed_when_made(base: Any, methods: tuple[str, ...], part: str) -> None:
    """Time methods of whatever class derives from `base`: before it connects them to ports."""
    plain = base.__init__
    seen: set[type] = set()

    def made(self: Any, *args: Any) -> None:
        kind = type(self)
        if kind not in seen:
            seen.add(kind)
            for name in methods:
                setattr(kind, name, timed(getattr(kind, name), part))
        plain(self, *args)

    base.__init__ = made


def timed_predictions() -> None:
    """Time what drivers ask for before they play an item."""
    plain = FrameDriver.__init__

    def made(self: Any, name: str, parent: Any, port: Any, predict: Any) -> None:
        plain(self, name, parent, port, timed(predict, "prediction"))

    FrameDriver.__init__ = made  # type: ignore[method-assign]


def fresh(items: Iterator[Any]) -> Iterator[Any]:
    """The same items, the time that it takes to make them noted."""
    make = timed(lambda: next(items), "random stimulus")
    while True:
        yield make()


def frames(s: Stimulus) -> Iterator[Any]:
    """Items until the time is up; what warms up is not counted."""
    items = SPEED.items(KIND, s)
    items = fresh(items) if KIND == "fresh" else items
    warm = SPEED.warm(NETWORK, PLAN["rows"])
    for number, item in enumerate(items):
        if number == warm:
            SPENT.clear()
            WINDOW["start"] = time.process_time()
        if number > warm:
            WINDOW["packets"] = WINDOW.get("packets", 0) + SPEED.amount(NETWORK, item)
            WINDOW["slots"] = WINDOW.get("slots", 0) + item.slots
            WINDOW["end"] = time.process_time()
            if WINDOW["end"] - WINDOW["start"] > PLAN["cpu_seconds"]:
                PARTS.update(SPENT)
                return
        yield item


def peak_kib() -> int:
    """Peak memory of this process; getrusage would include the parent's."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])


@cocotb.test(name="bench")
async def bench(dut: Any) -> None:
    """Play, then write down how long every part took."""
    agent = "CLASSIC" if KIND == "classic" else "FRAME"
    if agent == "FRAME":
        kind = type(port(agent))
        setattr(kind, SPEED.load, timed(getattr(kind, SPEED.load), "stimulus to memory"))
        timed_burst(kind)
    timed_predictions()
    timed_when_made(Scoreboard, SPEED.checks, "scoreboard")
    timed_when_made(Coverage, ("write",), "coverage")
    result = await run(Scenario(f"bench_{KIND}", "", frames, agent=agent, schedule=SPEED.schedule))
    Path(PLAN["figures"]).write_text(
        json.dumps(
            {
                "passed": result.passed,
                "packets": WINDOW["packets"],
                "slots": WINDOW["slots"],
                "seconds": WINDOW["end"] - WINDOW["start"],
                "parts": PARTS,
                "memory_kib": peak_kib(),
                "network": NETWORK.variables(),
            }
        )
    )
