"""Tests that every network on the flit link has: traffic of one's own, measured."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.scenario import Registry, Stimulus
from fattree_bench.bench.sweep import swept
from fattree_bench.bench.workload import Workload, no_file, no_loads
from fattree_models.traffic import Measurement, Packets

Measured = Callable[[np.random.Generator, Any, str, float], PacketSet]


def to_measure(
    work: Workload, packets: Packets, pattern: str, load: float, senders: int | None
) -> PacketSet:
    """A run to be measured: packets of twice the window, so that load goes on behind it.

    `senders`: leaves that send; None: all.
    """
    name = f"{pattern}, load {load:g}"
    return PacketSet(packets, name, window=work.window, load=load, pattern=pattern, senders=senders)


def flit_scenarios(measured: Measured) -> Registry:
    """`traffic`, `sweep` and `file`, to which a family adds its own.

    `measured` makes the item to be measured of a generator, the network, a pattern and a load.
    """
    found = Registry()

    @found.add()
    def traffic(s: Stimulus) -> Iterator[PacketSet]:
        """Traffic of one's own: TRAFFIC, LOAD, FLITS, INJECTION, measured for PERIODS periods."""
        work = s.network.workload
        yield measured(s.rng, s.network, work.pattern_text, work.load)

    @found.add(unless=no_loads)
    def sweep(s: Stimulus) -> Iterator[PacketSet]:
        """Measures as `traffic` does at LOADS until the network saturates, then more closely."""
        work = s.network.workload
        measurements: dict[float, Measurement] = {}

        def play(rng: np.random.Generator, load: float) -> Iterator[PacketSet]:
            item = measured(rng, s.network, work.pattern_text, load)
            yield item
            assert item.measurement is not None
            measurements[load] = item.measurement

        yield from swept(work, int(s.rng.integers(1 << 32)), play, measurements)

    @found.add(unless=no_file)
    def file(s: Stimulus) -> Iterator[PacketSet]:
        """The packets of PACKETS=file."""
        packets = s.network.workload.packets
        assert packets is not None
        yield PacketSet(packets, "packets of the file")

    return found
