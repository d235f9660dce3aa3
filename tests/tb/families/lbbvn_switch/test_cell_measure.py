"""What is measured of a run: figures and their end, against the cells counted one by one."""

import math
from collections.abc import Callable
from itertools import chain

import numpy as np
import pytest

from fattree_bench.bench.result import ScenarioResult
from fattree_bench.families import told
from fattree_bench.families.lbbvn_switch.cells import Run
from fattree_bench.families.lbbvn_switch.measure import figures
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.traffic import measured, random_run
from tests.models.lbbvn_switch import brute_switch as brute
from tests.tb.families.lbbvn_switch.software import Bench, Stream, switch

WINDOW = {"WARMUP": 1, "PERIODS": 4, "PERIOD": 50}
NETWORKS = (
    switch(SCHEME="BASIC", **WINDOW),
    switch(SCHEME="UFS", **WINDOW),
    switch(SCHEME="FOFF", INGRESS=8, MIDDLE=4, RESEQUENCER=2, **WINDOW),
    switch(SCHEME="PADDED", THRESHOLD=2, **WINDOW),
    switch(SCHEME="MAILBOX", INGRESS=4, MIDDLE=4, **WINDOW),
)
Make = Callable[[LbbvnSwitch], Bench]


def one_by_one(network: LbbvnSwitch, run: Run) -> dict[tuple[int, int], int]:
    """Slot in which each cell left, by slot of arrival and source: the model in plain Python."""
    model = brute.BruteSwitch(network.shape)
    left = {}
    # When a run is over, what is on the way from the switch to the bench is not read.
    slots = run.played - network.latency
    for slot, row in enumerate(run.dst[:slots].tolist()):
        for cell in model.slot(row):
            if cell is not None:
                left[cell.arrival, cell.source] = slot
    return left


def play(network: LbbvnSwitch, run: Run, bench: Make) -> Bench:
    """Show a run as it is played, to its end and through a drain."""
    made = bench(network)
    seen = Stream(network, measured(network, run), watch=made.board.write)
    made.board.check_phase()
    assert not made.board.faults
    assert seen.finished == [run]
    return made


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.scheme)
@pytest.mark.parametrize("load", [0.2, 0.9])
def test_figures_against_counting(network: LbbvnSwitch, load: float, bench: Make) -> None:
    run = random_run(np.random.default_rng(5), network, "uniform:self", load)
    made = play(network, run, bench)
    found = figures(network, run, made.board.tally.most)
    left, window = one_by_one(network, run), network.workload.window
    came = [
        (slot, source)
        for slot, source in np.argwhere(run.dst >= 0).tolist()
        if window.begin <= slot < window.end
    ]
    delays = sorted(left[cell] - cell[0] for cell in came if cell in left)
    cell_slots = network.leaves * window.cycles
    assert found["offered"] == pytest.approx(len(came) / cell_slots)
    arrived = sum(window.begin <= slot < window.end for slot in left.values())
    assert found["accepted"] == pytest.approx(arrived / cell_slots)
    assert found["throughput"] == pytest.approx(arrived / len(came))
    assert found["tagged"] == len(came)
    assert found["missing"] == len(came) - len(delays)
    assert found["latency_mean"] == pytest.approx(sum(delays) / len(delays))
    assert found["latency_p99"] == delays[math.ceil(0.99 * len(delays)) - 1]
    assert found["latency_maximum"] == delays[-1]
    assert found["most_resequenced"] == made.board.tally.most


def overtaken(left: dict[tuple[int, int], int], run: Run) -> tuple[int, int]:
    """Cells that left behind a later one of their flow, and the most slots behind it."""
    flows: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for (slot, source), when in left.items():
        flows.setdefault((source, int(run.dst[slot, source])), []).append((slot, when))
    late = [
        when - min(w for s, w in cells if s > slot and w < when)
        for cells in flows.values()
        for slot, when in cells
        if any(s > slot and w < when for s, w in cells)
    ]
    return len(late), max(late, default=0)


@pytest.mark.parametrize("network", NETWORKS[:2], ids=lambda network: network.scheme)
def test_cells_that_are_overtaken(network: LbbvnSwitch, bench: Make) -> None:
    run = random_run(np.random.default_rng(5), network, "uniform:self", 0.9)
    play(network, run, bench)
    found = figures(network, run, 0)
    left = one_by_one(network, run)
    count, most = overtaken(left, run)
    assert found["overtaken"] == pytest.approx(count / len(left))
    assert found["overtaken_slots"] == most
    assert (count > 0) == (network.scheme == "BASIC")


def test_a_run_is_over_when_its_cells_have_left(bench: Make) -> None:
    """Behind the window traffic continues, but no longer than the bench waits for a cell."""
    window = {"WARMUP": 0, "PERIODS": 2, "PERIOD": 1500}
    network, short = switch(**window), switch(MIDDLE=2, **window)
    run = random_run(np.random.default_rng(5), network, "uniform:self", 0.9)
    play(network, run, bench)
    assert run.complete
    last = max(left for (came, _), left in one_by_one(network, run).items() if came < 3000)
    size = network.layout.slots
    assert run.played == (last + network.latency) // size * size + size
    # What was dropped is waited for in vain.
    run = random_run(np.random.default_rng(5), short, "uniform:self", 0.9)
    play(short, run, bench)
    assert not run.complete
    assert run.played == len(run.dst) == 2 * 3000


def test_two_runs_do_not_mix() -> None:
    network, rng = NETWORKS[0], np.random.default_rng(5)
    runs = [random_run(rng, network, "uniform:self", load) for load in (0.9, 0.3)]
    both = chain.from_iterable(measured(network, run) for run in runs)
    assert Stream(network, both).finished == runs
    alone = [figures(network, run, 0) for run in runs]
    assert [round(found["offered"], 1) for found in alone] == [0.9, 0.3]
    for run, found in zip(runs, alone, strict=True):
        assert found["missing"] == 0
        assert run.first == (0 if run is runs[0] else runs[0].played)


def test_what_is_told_of_a_measurement(bench: Make) -> None:
    network = NETWORKS[0]
    run = random_run(np.random.default_rng(5), network, "uniform:self", 0.9)
    play(network, run, bench)
    result = ScenarioResult("traffic", measurements=[figures(network, run, 0)])
    lines = told("lbbvn_switch", result)
    assert lines[0].startswith("uniform:self, load 0.9: offered 0.")
    assert "in theory" in lines[1]
    assert "ideal output-queued switch" in lines[2]
    assert "overtaken" in lines[3]
