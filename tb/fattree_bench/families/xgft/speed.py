"""`make bench` of wormhole-switched trees."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.table import Table

from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.traffic import spread
from fattree_bench.families.flit_speed import CLOCKS, LENGTHS, LOAD, FlitSpeed, Played
from fattree_bench.families.speed import Case, Loop
from fattree_bench.families.xgft import model_speed
from fattree_models.common.checks import Int64Array
from fattree_models.traffic import Packets


def _case(sim: str, k: int, levels: int, **more: str) -> Case:
    return Case(sim, "kary", {"K": str(k), "LEVELS": str(levels), **more})


BURST = 1000  # clocks that are traced at a time
MODEL_RATES = ("millions of switch-clocks", "of flit-hops")
MODELLED = (
    *(f"K=4 LEVELS={levels}" for levels in (2, 3, 4)),
    "K=4 LEVELS=3 ROUTING=ADAPTIVE",
    *("K=16 LEVELS=3 WIDTH=40", "K=4 LEVELS=6 WIDTH=40"),
)


class XgftSpeed(FlitSpeed):
    """4-ary n-trees."""

    cases = (
        *(_case("verilator", 4, levels) for levels in (2, 3, 4)),
        _case("verilator", 4, 3, EXACT="0"),  # what it costs to compare all links
        _case("icarus", 4, 2),
    )
    loop = Loop(("valid_i", "flit_i", "credit_i"), ("link_valid_o",), ("valid_o",))
    sizes = (("K", "K"), ("levels", "LEVELS"), ("exact", "EXACT"))

    def packets(self, network: Wormhole, rng: np.random.Generator) -> Packets:
        return spread(rng, network, "uniform", LENGTHS, LOAD, CLOCKS)

    def hops(self, network: Wormhole, packets: Packets) -> Int64Array:
        return network.ways.hop_count(packets.source, packets.destination)

    def played(self, network: Wormhole, packets: Packets) -> Played:
        """Who sends when depends on credits: the model says it, until all has arrived."""
        from fattree_bench.bench.wormhole.exact import model_of  # numba: only where it is needed
        from fattree_models.wormhole import Simulation

        structure, vcs = network.structure, np.arange(network.switch.vcs)
        leaving = structure.leaving[structure.senders, 0]
        coming = structure.arriving[structure.receivers, 0]
        run = Simulation(model_of(network), seed=0)  # as the bare loop leaves seed_i
        run.run(1, [0], may_send=False, record=False)
        run.load(packets)
        columns: list[tuple[npt.NDArray[Any], ...]] = []
        while not columns or (run.fates.tail < 0).any():
            trace = run.run(BURST)
            assert trace is not None
            sent = (column[:, leaving] for column in (trace.packet, trace.index, trace.vc))
            columns.append((*sent, trace.credits[:, coming]))
        packet, index, vc, credits = (np.concatenate(x) for x in zip(*columns, strict=True))
        clock, leaf = np.nonzero(packet >= 0)
        valid = (vc[..., None] == vcs) & (packet[..., None] >= 0)
        back = credits[..., None] >> vcs & 1
        rows = int(run.fates.tail.max()) + 1
        flat = (x[:rows].reshape(rows, -1).astype(np.bool_) for x in (valid, back))
        flits = [column[clock, leaf].astype(np.int64) for column in (packet, index)]
        return Played(next(flat), clock, flits[0], flits[1], tuple(flat))

    def tables(self) -> Iterator[Table]:
        """How fast the clock-exact model is, in the place of the RTL."""
        table = Table(title="kary: the clock-exact model, a CPU second", box=None)
        for name in ("", "leaves", "switches", "clocks", *MODEL_RATES, "peak MiB"):
            table.add_column(name, justify="right" if name else "left")
        for words in MODELLED:
            done = subprocess.run(
                [sys.executable, "-m", model_speed.__name__, *words.split()],
                check=True,
                capture_output=True,
                text=True,
            )
            table.add_row(words, *done.stdout.split())
        yield table


SPEED = XgftSpeed()
