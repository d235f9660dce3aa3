"""Tests that networks on the flit link share: traffic of one's own, and standard ones."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from fattree_bench.bench.links.flit.directed import Directed
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.sequences import PacketFile, Uniform
from fattree_bench.bench.links.flit.steps import classic, several_clocks
from fattree_bench.bench.network import Network
from fattree_bench.bench.scenario import Registry, Stimulus
from fattree_bench.bench.sequence import Sequence
from fattree_bench.bench.sweep import no_file, no_loads, swept
from fattree_bench.bench.workload import What, Workload
from fattree_models.traffic import Measurement, Packets

Net = TypeVar("Net", bound=Network)
PacketSequence = Sequence[Any, PacketSet]
Draw = Callable[[np.random.Generator, Net, str, str, float, int, str], Packets]
ANY_LEAVES = ("uniform", "round_robin", "hotspot")  # patterns that exist for any leaves


def to_measure(
    work: Workload, packets: Packets, pattern: str, load: float, senders: int | None
) -> PacketSet:
    """A run to be measured: packets of twice the window, so that load continues behind it.

    `senders`: leaves that send; None: all.
    """
    name = f"{pattern}, load {load:g}"
    return PacketSet(packets, name, window=work.window, load=load, pattern=pattern, senders=senders)


def to_others(rng: np.random.Generator, network: Network, *what: *What) -> Packets:
    """Random packets, none to its own sender."""
    return network.workload.to_others(rng, *what)


def _sending(network: Network, pattern: str, packets: Packets) -> int | None:
    return len(np.unique(packets.source)) if len(packets) else None


@dataclass(frozen=True)
class Senders(Generic[Net]):
    """How the leaves of a network send: what its standard tests are made of.

    Attributes
    ----------
    draw : random packets of a generator, the network, a pattern, lengths, a load, clocks, an
        injection.
    lengths : all lengths that packets of a network may have, as FLITS says them.
    loads : of `uniform`, each with the part of the clocks that it lasts.
    saturating, patterns : kinds of traffic of `saturation`, and of `patterns`.
    item : made of packets and a name.
    count : leaves that send, of a network, a pattern and its packets; None: all.
    waits : receivers can give no credit, and senders then wait.
    """

    draw: Draw[Net]
    lengths: Callable[[Net], str]
    loads: tuple[tuple[float, int], ...] = ((0.05, 1), (0.3, 1), (0.6, 1), (1.0, 1))
    saturating: tuple[str, ...] = ("uniform", "bitrev", "transpose", "bitcomp")
    patterns: tuple[str, ...] = ("uniform", "bitcomp", "hotspot:0")
    item: Callable[..., PacketSet] = PacketSet
    count: Callable[[Net, str, Packets], int | None] = _sending
    waits: bool = True

    def measured(
        self, rng: np.random.Generator, network: Net, pattern: str, load: float
    ) -> PacketSet:
        """A run to be measured: warm-up, window, and load that lasts until all has arrived."""
        work = network.workload
        clocks = 2 * work.window.end
        packets = self.draw(rng, network, pattern, work.flits, load, clocks, work.injection)
        senders = self.count(network, pattern, packets)
        return to_measure(work, packets, pattern, load, senders)


def flit_scenarios(senders: Senders[Net], *standard: str) -> Registry:
    """`traffic`, `sweep` and `file`, and these standard tests, to which a family adds its own."""
    found, measured = Registry(), senders.measured

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
    async def file(s: PacketSequence) -> None:
        """The packets of MESSAGES=file."""
        await s.do(PacketFile("packets of the file"))

    @found.add()
    async def uniform(s: PacketSequence) -> None:
        """Uniform traffic of mixed lengths, from little to all that leaves can send."""
        for load, part in senders.loads:
            await s.do(Uniform(f"uniform, load {load:g}", load=load, clocks=s.rows // part))

    @found.add()
    async def payloads(s: PacketSequence) -> None:
        """Payloads that cannot be tags: zero, ones, one bit set or clear, the same as before."""
        for load in (0.1, 0.6):
            await s.do(Uniform(f"payloads, load {load:g}", load=load, corners=True))

    @found.add()
    async def bursts(s: PacketSequence) -> None:
        """On and off: bursts of packets, each burst to one destination."""
        await s.do(Uniform("bursts", load=0.4, injection="train:-,0.2,0.5"))

    def several(s: Stimulus, names: Iterable[str], load: float) -> Iterator[PacketSet]:
        """Measured runs of the kinds of traffic that exist for these leaves."""
        work = s.network.workload
        for name in names:
            if name.startswith(ANY_LEAVES) or work.fixed_pattern(name) is not None:
                item = measured(s.rng, s.network, name, load)
                if len(item.packets):
                    yield item

    @found.add()
    def saturation(s: Stimulus) -> Iterator[PacketSet]:
        """Saturates all senders, measured: uniform traffic and permutations."""
        yield from several(s, senders.saturating, 1.0)

    @found.add()
    def patterns(s: Stimulus) -> Iterator[PacketSet]:
        """Kinds of traffic at LOAD, measured: uniform, permutations, one leaf that all send to."""
        yield from several(s, senders.patterns, s.network.workload.load)

    found.add(agent="CLASSIC", unless=several_clocks)(classic)
    found.add()(Directed)
    chosen = ("traffic", "sweep", "file", "directed", *standard)
    return Registry((name, found[name]) for name in chosen)
