"""What cocotb loads for `make bench`: one scenario played for a while, every part of it timed."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import cocotb
import numpy as np

from fattree_bench.bench.links.flit.packets import FlitPort, PacketSet
from fattree_bench.bench.links.serial.messages import MessageSet, SerialPort
from fattree_bench.bench.links.slot.frame import SlotFrame, SlotPort
from fattree_bench.bench.links.slot.traffic import cut
from fattree_bench.bench.scenario import Frames, Scenario, Stimulus
from fattree_bench.families.lbbvn.coverage import SlotCoverage
from fattree_bench.families.lbbvn.environment import Predictor as SlotPredictor
from fattree_bench.families.lbbvn.scenarios import paper_frame
from fattree_bench.families.lbbvn.scoreboard import SlotScoreboard
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.coverage import CellCoverage
from fattree_bench.families.lbbvn_switch.plan import Predictor as CellPredictor
from fattree_bench.families.lbbvn_switch.scoreboard import CellScoreboard
from fattree_bench.families.lbbvn_switch.traffic import bench_cells
from fattree_bench.families.leiserson.coverage import SerialCoverage
from fattree_bench.families.leiserson.environment import Predictor as SerialPredictor
from fattree_bench.families.leiserson.scoreboard import SerialScoreboard
from fattree_bench.families.leiserson.traffic import permutations
from fattree_bench.families.xgft.coverage import FlitCoverage
from fattree_bench.families.xgft.environment import Predictor as FlitPredictor
from fattree_bench.families.xgft.scoreboard import FlitScoreboard
from fattree_bench.families.xgft.traffic import bench_packets
from fattree_bench.sim.entry import NETWORK, PLAN, run
from fattree_models import lbbvn, xgft

SPENT: Counter[str] = Counter()  # CPU seconds by part
WINDOW: dict[str, float] = {}


def timed(owner: type, name: str, part: str) -> None:
    """Add the CPU time of a method to a part."""
    plain: Callable[..., Any] = getattr(owner, name)

    def wrapped(*args: Any) -> Any:
        start = time.process_time()
        value = plain(*args)
        SPENT[part] += time.process_time() - start
        return value

    setattr(owner, name, wrapped)


def timed_burst(port_type: Any) -> None:
    """The simulator's part: a burst from start to end, without what the monitor sets off."""
    plain = port_type.burst

    async def wrapped(port: Any, cycles: int) -> None:
        start, checked = time.process_time(), SPENT["scoreboard"]
        await plain(port, cycles)
        SPENT["simulator"] += time.process_time() - start - (SPENT["scoreboard"] - checked)

    port_type.burst = wrapped


def measured(frames: Callable[[Stimulus], Iterator[Any]]) -> Frames:
    """Frames until the time is up; what warms up is not counted."""
    # The whole frame, twice if it is cut; packet sets are long.
    warm = 1 if NETWORK.link == "flit" else max(2, 2 * NETWORK.leaves // PLAN["rows"])

    def generate(s: Stimulus) -> Iterator[Any]:
        for number, item in enumerate(frames(s)):
            if number == warm:
                SPENT.clear()
                WINDOW["start"] = time.process_time()
            if number > warm:
                WINDOW["packets"] = WINDOW.get("packets", 0) + amount(item)
                WINDOW["slots"] = WINDOW.get("slots", 0) + item.slots
                WINDOW["end"] = time.process_time()
                if WINDOW["end"] - WINDOW["start"] > PLAN["cpu_seconds"]:
                    return
            before = time.process_time()
            yield item
            WINDOW["last"] = before

    return generate


def amount(item: Any) -> int:
    """Packets or messages of an item; flit-hops of a packet set."""
    if not isinstance(item, PacketSet):
        return int(np.count_nonzero(item.dst >= 0))
    packets, tree = item.packets, NETWORK.tree
    hops = xgft.hop_count(tree, packets.source, packets.destination, NETWORK.climb)
    return int((hops * packets.flits).sum())


def repeated(s: Stimulus) -> Iterator[SlotFrame]:
    """The paper's frame again and again, cut into as many items as it needs."""
    slots, leaves = PLAN["rows"], s.network.leaves
    rows = np.resize(paper_frame(s), (max(1, slots // leaves) * leaves, leaves))
    yield from cycle(list(cut(s.network, rows, "bit-reverse shifts")))


def fresh(s: Stimulus) -> Iterator[SlotFrame]:
    """A new random permutation in every slot of every frame."""
    while True:
        start = time.process_time()
        dst = lbbvn.random_permutations(s.rng, PLAN["rows"], s.network.leaves)
        SPENT["random stimulus"] += time.process_time() - start
        yield SlotFrame(dst, "random stimulus")


def peak_kib() -> int:
    """Peak memory of this process; getrusage would tell of the parent's, too."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])


def repeated_sets(s: Stimulus) -> Iterator[MessageSet]:
    """The same permutations again and again, one a delivery cycle."""
    yield from cycle([permutations(s.network, np.random.default_rng(1), s.rows)])


def fresh_sets(s: Stimulus) -> Iterator[MessageSet]:
    """New permutations in every item."""
    while True:
        start = time.process_time()
        item = permutations(s.network, s.rng, s.rows)
        SPENT["random stimulus"] += time.process_time() - start
        yield item


def repeated_packets(s: Stimulus) -> Iterator[PacketSet]:
    """The same packets again and again."""
    yield from cycle([PacketSet(bench_packets(s.network, np.random.default_rng(1)), "uniform")])


def fresh_packets(s: Stimulus) -> Iterator[PacketSet]:
    """New packets in every item."""
    while True:
        start = time.process_time()
        packets = bench_packets(s.network, s.rng)
        SPENT["random stimulus"] += time.process_time() - start
        yield PacketSet(packets, "uniform")


def repeated_cells(s: Stimulus) -> Iterator[CellFrame]:
    """The same arrivals again and again; the queues are never the same, so all is predicted."""
    dst = bench_cells(s.network, np.random.default_rng(1))
    while True:
        yield CellFrame(dst, "uniform")


def fresh_cells(s: Stimulus) -> Iterator[CellFrame]:
    """New arrivals in every frame."""
    while True:
        start = time.process_time()
        dst = bench_cells(s.network, s.rng)
        SPENT["random stimulus"] += time.process_time() - start
        yield CellFrame(dst, "uniform")


STIMULI: dict[str, dict[str, Callable[[Stimulus], Iterator[Any]]]] = {
    "slot": {"repeated": repeated, "fresh": fresh, "classic": repeated},
    "serial": {"repeated": repeated_sets, "fresh": fresh_sets},
    "flit": {"repeated": repeated_packets, "fresh": fresh_packets},
    "cell": {"repeated": repeated_cells, "fresh": fresh_cells},
}
PARTS: dict[str, tuple[type, type, type, type]] = {
    "slot": (SlotPort, SlotPredictor, SlotScoreboard, SlotCoverage),
    "serial": (SerialPort, SerialPredictor, SerialScoreboard, SerialCoverage),
    "flit": (FlitPort, FlitPredictor, FlitScoreboard, FlitCoverage),
    "cell": (SlotPort, CellPredictor, CellScoreboard, CellCoverage),
}
_stimulus = PLAN["stimulus"]


def schedule(s: Stimulus) -> Any:
    """As many rows as the frame that is repeated, so that it always starts at row 0."""
    return paper_frame(s)


@cocotb.test(name="bench")
async def bench(dut: Any) -> None:
    """Play, then write down how long every part took."""
    port, predictor, scoreboard, coverage = PARTS[NETWORK.link]
    timed(port, "offer" if NETWORK.link == "flit" else "load", "stimulus to memory")
    timed(predictor, "__call__", "prediction")
    timed(scoreboard, "write", "scoreboard")
    if NETWORK.link == "flit":
        timed(scoreboard, "finish", "scoreboard")
    timed(coverage, "write", "coverage")
    timed_burst(port)
    agent = "CLASSIC" if _stimulus == "classic" else "FRAME"
    scenario = Scenario(
        f"bench_{_stimulus}",
        "",
        measured(STIMULI[NETWORK.link][_stimulus]),
        agent=agent,
        schedule=schedule,
    )
    result = await run(scenario)
    total = WINDOW["end"] - WINDOW["start"]
    Path(PLAN["figures"]).write_text(
        json.dumps(
            {
                "passed": result.passed,
                "packets": WINDOW["packets"],
                "slots": WINDOW["slots"],
                "seconds": total,
                "parts": dict(SPENT),
                "memory_kib": peak_kib(),
                "network": NETWORK.variables(),
            }
        )
    )
