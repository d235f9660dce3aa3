"""What a user says of the ring: its graph, its routes, who arrives, and a scenario of his own."""

from collections.abc import Iterator

import numpy as np

from fattree_bench import Design, Packets, PacketSet, scenario

LEAVES = 4
design = Design.read("loop.toml")


def graph() -> list[tuple[object, ...]]:
    """Leaves are numbers; a link of the ring has a tap."""
    edges: list[tuple[object, ...]] = []
    for i in range(LEAVES):
        edges += [(i, f"r{i}"), (f"r{i}", i), (f"r{i}", f"r{(i + 1) % LEAVES}", f"ring{i}")]
    return edges


def route(source: int, destination: int) -> list[str]:
    """The taps that a packet passes."""
    return [f"ring{(source + i) % LEAVES}" for i in range((destination - source) % LEAVES)]


def predict(sent: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Everybody arrives."""
    return {"arrives": np.ones(len(sent["source"]), bool)}


@scenario(design)
def opposite(s: object) -> Iterator[PacketSet]:
    """All leaves send to that on the other side, all at once."""
    source = np.repeat(np.arange(LEAVES), 20)
    yield PacketSet(Packets.of(source, (source + 2) % LEAVES, 0, 1), "to the other side")
