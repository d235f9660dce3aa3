"""`make bench` of wormhole-switched trees."""

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
from rich.table import Table

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.traffic import spread
from fattree_bench.families.flit_speed import CLOCKS, LENGTHS, LOAD, FlitSpeed
from fattree_bench.families.speed import Case, Image
from fattree_bench.families.xgft import model_speed
from fattree_models.common.checks import Int64Array
from fattree_models.traffic import Packets


def _case(sim: str, k: int, levels: int, **more: str) -> Case:
    return Case(sim, "kary", {"K": str(k), "LEVELS": str(levels), **more})


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
    sizes = (("K", "K"), ("levels", "LEVELS"), ("exact", "EXACT"))

    def packets(self, network: Wormhole, rng: np.random.Generator) -> Packets:
        return spread(rng, network, "uniform", LENGTHS, LOAD, CLOCKS)

    def hops(self, network: Wormhole, packets: Packets) -> Int64Array:
        return network.ways.hop_count(packets.source, packets.destination)

    def image(self, network: Wormhole, items: list[PacketSet]) -> bytes:
        """Widths, and the packets of every set, node by node."""
        image = Image()
        flit_bits = network.width + 2
        for number in (network.leaves, network.vcs, network.switch.depth, network.width, flit_bits):
            image.word(number)
        for number in (network.words.address_bits, network.words.node_bits):
            image.word(number)
        image.word(len(items))
        for packets in (item.packets for item in items):
            starts = packets.starts(network.leaves)
            columns = (packets.release, packets.destination, packets.flits)
            rows = np.stack(columns, axis=1).astype(np.uint32)
            for node in range(network.leaves):
                part = rows[int(starts[node]) : int(starts[node + 1])]
                image.word(len(part))
                image.parts.append(part.tobytes())
        return image.bytes()

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
