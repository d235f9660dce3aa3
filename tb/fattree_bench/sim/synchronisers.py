"""Flip-flops of synchronisers in a flat netlist, and lines for a reader: one for each module."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

BLOCKS = ("sampler", "synchroniser")  # what is wrong with these is the fault of who has them
SAMPLER = re.compile(r"u_sampler\.value_o$")
Troubles = Iterator[tuple[str, str]]  # into which register or memory, and what is wrong
OTHERS = "settled_q"  # its flip-flops behind the first, see synchroniser.v


def modules(nets: Mapping[str, Any]) -> dict[str, str]:
    """Module of each instance and block, by its path: as the file is called that its nets are in.

    `nets`: netnames of the netlist.
    """
    found = {}
    for name, net in nets.items():
        if source := net["attributes"].get("src"):
            found[name.rpartition(".")[0]] = Path(source.partition(":")[0]).stem
    return found


class Netlist(Protocol):
    """What is known of a flat netlist, and what crosses without leave in it."""

    cells: dict[str, Any]
    names: dict[int, tuple[str, int]]
    modules: dict[str, str]

    def troubles(self) -> Troubles: ...


def stages(netlist: Netlist, sync: int) -> Troubles:
    """Synchronisers that have not `sync` flip-flops, bit by bit: the sampler, and what is wrong.

    A flip-flop counts if nothing but the next one looks at the one before it.
    """
    readers: Counter[Any] = Counter()
    after: dict[Any, list[int]] = {}
    samples = []
    names = netlist.names
    for cell in netlist.cells.values():
        ends = cell["connections"]
        for port, bits in ends.items():
            if cell["port_directions"][port] == "input":
                readers.update(bits)
        if "CLK" in ends and "Q" in ends:
            for d, q in zip(ends["D"], ends["Q"], strict=True):
                after.setdefault(d, []).append(q)
                samples += [q] if SAMPLER.search(names[q][0]) else []
    for sample in samples:
        bit, (name, place) = sample, names[sample]
        own = name.removesuffix("u_sampler.value_o") + OTHERS
        count = 1
        while readers[bit] == 1 and [names[q][0] for q in after.get(bit, [])] == [own]:
            (bit,) = after[bit]
            count += 1
        if count != sync:
            yield name, f"{name}[{place}]: a synchroniser of {count} flip-flops, not {sync}"


def one_line_each(netlist: Netlist, sync: int) -> list[str]:
    """A line for each module: what is wrong first, and how much more is."""
    found: dict[str, dict[str, None]] = {}
    of = netlist.modules
    for name, told in (*netlist.troubles(), *stages(netlist, sync)):
        path = name.rpartition(".")[0]
        while of.get(path) in BLOCKS:
            path = path.rpartition(".")[0]
        found.setdefault(of.get(path, path), {})[told] = None
    return [
        f"{module}: {next(iter(told))}" + (f" (and {len(told) - 1} more)" if len(told) > 1 else "")
        for module, told in found.items()
    ]
