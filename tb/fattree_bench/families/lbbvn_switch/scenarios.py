"""Tests of the whole load-balanced Birkhoff-von Neumann switch."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.corners import corner_words
from fattree_bench.bench.scenario import Registry, Stimulus
from fattree_bench.bench.sweep import swept
from fattree_bench.bench.workload import no_file, no_loads
from fattree_bench.families.lbbvn.own import no_frame
from fattree_bench.families.lbbvn_switch.cells import CellFrame, Run
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
scenario = SCENARIOS.add


@scenario()
def traffic(s: Stimulus) -> Iterator[CellFrame]:
    """Traffic of one's own: TRAFFIC, LOAD, INJECTION, measured for PERIODS periods."""
    work = s.network.workload
    yield from measured(
        s.network, random_run(s.rng, s.network, work.pattern_text, work.load, work.injection)
    )


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
def uniform(s: Stimulus) -> Iterator[CellFrame]:
    """Bernoulli arrivals for all outputs alike, from a tenth of the load to nearly all of it."""
    for load in LOADS:
        dst = cells(s.rng, s.network, "uniform:self", load, s.rows // 4)
        yield from cut(s.network, dst, f"uniform, load {load:g}", lossless=enough(s.network, load))


@scenario()
def bursts(s: Stimulus) -> Iterator[CellFrame]:
    """Bursts that fill frames of N slots, and on-off bursts, each for one output."""
    for load in (0.3, 0.8):
        for injection in (f"frame:{s.network.leaves}", "train:-,0.1,1"):
            dst = cells(s.rng, s.network, "uniform:self", load, s.rows // 2, injection)
            yield from cut(s.network, dst, f"bursts, load {load:g}")


@scenario()
def patterns(s: Stimulus) -> Iterator[CellFrame]:
    """Admissible traffic that is not uniform: diagonals, unbalanced, permutations, a hot spot."""
    for name in (*PATTERNS[1:], HOT):
        dst = cells(s.rng, s.network, name, 0.5 if name == HOT else 0.9, s.rows // 2)
        yield from cut(s.network, dst, name)


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
def full_load(s: Stimulus) -> Iterator[CellFrame]:
    """A cell at every input in every slot: uniform, and all N permutations in turn."""
    network, leaves = s.network, s.network.leaves
    dst = cells(s.rng, network, "uniform:self", 1.0, s.rows)
    yield from cut(network, dst, "full load")
    turns = (np.arange(s.rows)[:, None] + np.arange(leaves)) % leaves
    yield from cut(network, turns.astype(np.int32), "full load, round robin")
    # From none, one or all of the inputs to none, one or all.
    busy = np.tile([0, 0, 1, 1, leaves, leaves, 0, leaves, 1, 0], 4)
    there = np.arange(leaves) < busy[:, None]
    yield from cut(network, np.where(there, turns[: len(busy)], -1).astype(np.int32), "steps")


@scenario()
def overload(s: Stimulus) -> Iterator[CellFrame]:
    """One output gets twice what it can carry: its queues overflow, the others do not suffer."""
    dst = switch.overload(s.rng, s.network.n, 2 * s.rows, 0.9, 2.0)
    yield from cut(s.network, dst, "overload of output 0")


@scenario()
def one_output(s: Stimulus) -> Iterator[CellFrame]:
    """All inputs want one output all the time, then the next one."""
    for _ in range(2):
        goal = int(s.rng.integers(s.network.leaves))
        dst = np.full((s.rows, s.network.leaves), goal, np.int32)
        yield from cut(s.network, dst, "all to one output")


@scenario()
def phase_locked(s: Stimulus) -> Iterator[CellFrame]:
    """Admissible traffic in step with the schedule, so that one middle gets it all; measured."""
    network, window = s.network, s.network.workload.window
    dst = switch.phase_locked(network.schedule, network.n, window.end + network.leaves)
    run = Run("phase-locked", 1 / network.leaves, "phase-locked", "", dst, window)
    yield from measured(network, run)


@scenario()
def throughput(s: Stimulus) -> Iterator[CellFrame]:
    """Admissible traffic of all kinds at 95 % of the load, measured."""
    for name in PATTERNS:
        run = random_run(s.rng, s.network, name, HEAVY)
        yield from measured(s.network, run, lossless=enough(s.network, HEAVY))


@scenario()
def saturation(s: Stimulus) -> Iterator[CellFrame]:
    """A cell at every input in every slot, uniform, measured: what the switch carries at most."""
    yield from measured(s.network, random_run(s.rng, s.network, "uniform:self", 1.0))


@scenario()
def delays(s: Stimulus) -> Iterator[CellFrame]:
    """Traffic whose mean delay is known: Bernoulli and bursts of N cells, measured."""
    for injection in ("bernoulli", f"frame:{s.network.leaves}"):
        for load in DELAY_LOADS:
            run = random_run(s.rng, s.network, "uniform:self", load, injection)
            yield from measured(s.network, run)


@scenario()
def burst_lengths(s: Stimulus) -> Iterator[CellFrame]:
    """On-off bursts of other lengths, each for one output, measured."""
    for load in BURST_LOADS:
        for cells_each in BURSTS:
            injection = f"train:-,{1 / cells_each:g},1"
            yield from measured(
                s.network, random_run(s.rng, s.network, "uniform:self", load, injection)
            )


@scenario()
def payloads(s: Stimulus) -> Iterator[CellFrame]:
    """Words that no tag is: zero, ones, one bit set or clear, the word before, the neighbour's."""
    for load in (1.0, 0.6):
        dst = cells(s.rng, s.network, "uniform:self", load, max(64, s.rows // 8))
        words = corner_words(s.rng, s.network.layout.payload, *dst.shape)
        yield from cut(s.network, dst, "payloads", words=words)


@scenario()
def reset(s: Stimulus) -> Iterator[CellFrame]:
    """Resets of one slot and of more, before and amid traffic: what is inside is gone."""
    network, slots = s.network, s.rows // 4
    amid = s.rng.integers(slots // 2, slots, 6).tolist()
    for begin, length in ((0, 1), (1, 3 * network.leaves), *((i, 1 + i % 2) for i in amid)):
        held = np.zeros(begin + length, np.bool_)
        held[begin:] = True
        dst = cells(s.rng, network, "uniform:self", 0.8, len(held))
        yield from cut(network, dst, "reset", reset=held)
    # Light traffic behind the last one: what it should have cleared would show.
    yield from cut(network, cells(s.rng, network, "uniform:self", 0.2, 2 * slots), "after a reset")


@scenario(unless=no_frame)
def own_frame(s: Stimulus) -> Iterator[CellFrame]:
    """Cells that come as the frame of FRAMES=file or SIGMA says, frame after frame."""
    frame = s.network.own.frame
    times = max(2, s.rows // 4 // len(frame))
    yield from cut(s.network, np.tile(frame, (times, 1)), "a frame of one's own")


@scenario(unless=no_file)
def file(s: Stimulus) -> Iterator[CellFrame]:
    """The cells of MESSAGES=file."""
    dst, words = s.network.workload.cells
    if words is not None:
        words = words.astype(s.network.layout.payload.dtype)
    yield from cut(s.network, dst, "cells of the file", words=words)
