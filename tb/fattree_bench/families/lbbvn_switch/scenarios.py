"""Tests of the whole load-balanced Birkhoff-von Neumann switch."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.corners import corner_words
from fattree_bench.bench.links.resets import clocks, drawn
from fattree_bench.bench.scenario import Registry, Stimulus
from fattree_bench.bench.sequence import Sequence
from fattree_bench.bench.sweep import no_file, no_loads, swept
from fattree_bench.families.lbbvn.own import no_frame
from fattree_bench.families.lbbvn_switch.cells import CellFrame, Run
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.sequences import (
    Arrivals,
    CellFile,
    Cells,
    Measured,
    OneOutput,
)
from fattree_bench.families.lbbvn_switch.steps import classic, loaded
from fattree_bench.families.lbbvn_switch.traffic import cells, cut, enough, measured, random_run
from fattree_models import lbbvn_switch as switch
from fattree_models.traffic import Measurement

LOADS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
PATTERNS = ("uniform:self", "diagonal", "logdiagonal", "unbalanced:0.5", "randperm")
HOT = "hotspot:0=1:0.05"  # what the hot output gets besides its share, of each input
HEAVY = 0.95
DELAY_LOADS = (0.3, 0.6, 0.9)
BURST_LOADS = (0.5, 0.9)
BURSTS = (10, 16, 50)  # cells in the mean

SCENARIOS = Registry()
Traffic = Sequence[LbbvnSwitch, CellFrame]
scenario = SCENARIOS.add


@scenario()
async def traffic(s: Traffic) -> None:
    """Traffic of one's own: TRAFFIC, LOAD, INJECTION, measured for PERIODS periods."""
    work = s.network.workload
    await s.do(Measured(pattern=work.pattern_text, load=work.load, injection=work.injection))


@scenario(unless=no_loads)
def sweep(s: Stimulus) -> Iterator[CellFrame]:
    """Measures as `traffic` does at LOADS until the switch saturates, then more closely there."""
    network, work = s.network, s.network.workload
    found: dict[float, Measurement] = {}

    def play(rng: np.random.Generator, load: float) -> Iterator[CellFrame]:
        run = random_run(rng, network, work.pattern_text, load, work.injection)
        yield from measured(network, run)
        found[load] = run.measurement()

    yield from swept(work, int(s.rng.integers(1 << 32)), play, found)


@scenario()
async def uniform(s: Traffic) -> None:
    """Bernoulli arrivals for all outputs alike, from a tenth of the load to nearly all of it."""
    for load in LOADS:
        own = Arrivals(f"uniform, load {load:g}", load=load, length=s.rows // 4)
        own.lossless = enough(s.network, load)
        await s.do(own)


@scenario()
async def bursts(s: Traffic) -> None:
    """Bursts that fill frames of N slots, and on-off bursts, each for one output."""
    for load in (0.3, 0.8):
        for injection in (f"frame:{s.network.leaves}", "train:-,0.1,1"):
            name, length = f"bursts, load {load:g}", s.rows // 2
            await s.do(Arrivals(name, load=load, length=length, injection=injection))


@scenario()
async def patterns(s: Traffic) -> None:
    """Admissible traffic that is not uniform: diagonals, unbalanced, permutations, a hot spot."""
    for name in (*PATTERNS[1:], HOT):
        load = 0.5 if name == HOT else 0.9
        await s.do(Arrivals(name, pattern=name, load=load, length=s.rows // 2))


@scenario(alone=True)
def single_cells(s: Stimulus) -> Iterator[CellFrame]:
    """A cell alone in the switch, of every pair; or full frames where one cell does not go."""
    network, leaves = s.network, s.network.leaves
    wait = 3 * leaves + network.latency
    pairs = s.rng.permutation(leaves**2)[: max(16, s.rows // wait)]
    alone = network.scheme not in ("UFS", "PADDED")
    for pair in pairs.tolist():
        source, destination = divmod(pair, leaves)
        dst = np.full((wait if alone else 2 * wait, leaves), -1, np.int32)
        dst[: 1 if alone else leaves, source] = destination
        yield from cut(network, dst, "single cells", lossless=True)


@scenario()
async def full_load(s: Traffic) -> None:
    """A cell at every input in every slot: uniform, and all N permutations in turn."""
    leaves = s.network.leaves
    await s.do(Arrivals("full load", load=1.0))
    turns = ((np.arange(s.rows)[:, None] + np.arange(leaves)) % leaves).astype(np.int32)
    await s.do(Cells("full load, round robin", dst=turns))
    # From none, one or all of the inputs to none, one or all.
    busy = np.tile([0, 0, 1, 1, leaves, leaves, 0, leaves, 1, 0], 4)
    there = np.arange(leaves) < busy[:, None]
    await s.do(Cells("steps", dst=np.where(there, turns[: len(busy)], -1).astype(np.int32)))


@scenario()
async def overload(s: Traffic) -> None:
    """One output gets twice what it can carry: its queues overflow, the others do not suffer."""
    dst = switch.overload(s.rng, s.network.n, 2 * s.rows, 0.9, 2.0)
    await s.do(Cells("overload of output 0", dst=dst))


@scenario()
async def one_output(s: Traffic) -> None:
    """All inputs want one output all the time, then the next one."""
    for _ in range(2):
        await s.do(OneOutput("all to one output", goal=int(s.rng.integers(s.network.leaves))))


@scenario()
def phase_locked(s: Stimulus) -> Iterator[CellFrame]:
    """Admissible traffic in step with the schedule, so that one middle gets it all; measured."""
    network, window = s.network, s.network.workload.window
    dst = switch.phase_locked(network.schedule, network.n, window.end + network.leaves)
    run = Run("phase-locked", 1 / network.leaves, "phase-locked", "", dst, window)
    yield from measured(network, run)


@scenario()
async def throughput(s: Traffic) -> None:
    """Admissible traffic of all kinds at 95 % of the load, measured."""
    for name in PATTERNS:
        await s.do(Measured(pattern=name, load=HEAVY, promised=True))


@scenario()
async def saturation(s: Traffic) -> None:
    """A cell at every input in every slot, uniform, measured: what the switch carries at most."""
    await s.do(Measured(load=1.0))


@scenario()
async def delays(s: Traffic) -> None:
    """Traffic whose mean delay is known: Bernoulli and bursts of N cells, measured."""
    for injection in ("bernoulli", f"frame:{s.network.leaves}"):
        for load in DELAY_LOADS:
            await s.do(Measured(load=load, injection=injection))


@scenario()
async def burst_lengths(s: Traffic) -> None:
    """On-off bursts of other lengths, each for one output, measured."""
    for load in BURST_LOADS:
        for cells_each in BURSTS:
            await s.do(Measured(load=load, injection=f"train:-,{1 / cells_each:g},1"))


@scenario()
def payloads(s: Stimulus) -> Iterator[CellFrame]:
    """Words that no tag is: zero, ones, one bit set or clear, the word before, the neighbour's."""
    for load in (1.0, 0.6):
        dst = cells(s.rng, s.network, "uniform:self", load, max(64, s.rows // 8))
        words = corner_words(s.rng, s.network.layout.payload, *dst.shape)
        yield from cut(s.network, dst, "payloads", words=words)


@scenario()
async def reset(s: Traffic) -> None:
    """Resets of one slot and of more, before and amid traffic: what is inside is gone."""
    slots = s.rows // 4
    amid = s.rng.integers(slots // 2, slots, 6).tolist()
    drawn_or_one = (drawn(s.rng) if k % 2 else 1 for k in range(len(amid)))
    shapes = (1, (1 << 3 * s.network.leaves) - 1, *drawn_or_one)
    for begin, shape in zip((0, 1, *amid), shapes, strict=True):
        held = np.isin(np.arange(begin + shape.bit_length()), clocks(begin, shape))
        await s.do(Arrivals("reset", load=0.8, length=len(held), reset=held))
    # Light traffic behind the last one: what it should have cleared would show.
    await s.do(Arrivals("after a reset", load=0.2, length=2 * slots))


scenario(agent="CLASSIC", unless=loaded)(classic)


@scenario(unless=no_frame)
async def own_frame(s: Traffic) -> None:
    """Cells that come as the frame of FRAMES=file or SIGMA says, frame after frame."""
    frame = s.network.own.frame
    assert frame is not None
    times = max(2, s.rows // 4 // len(frame))
    await s.do(Cells("a frame of one's own", dst=np.tile(frame, (times, 1))))


@scenario(unless=no_file)
async def file(s: Traffic) -> None:
    """The cells of MESSAGES=file."""
    await s.do(CellFile("cells of the file"))
