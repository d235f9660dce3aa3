"""The queues of a line card are memories to Yosys, with the ports that memories have."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from fattree_bench.families.lbbvn_switch.area import card
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.paths import ROOT
from fattree_bench.sim.yosys import copied, hierarchy, run_yosys
from tests.tb.faults.faulty import Edit

RTL = ROOT / "rtl"
Memory = tuple[int, int, int, int]  # words, bits of a word, write ports, read ports

FAULTS = (
    Edit(  # a reset that clears words: a port for each of them
        "common/register_file.v",
        "    if (write_i) words[write_at_i] <= word_i;",
        "    if (rst) begin words[0] <= 0; words[1] <= 0; end\n"
        "    else if (write_i) words[write_at_i] <= word_i;",
    ),
    Edit("common/ram_1w1r.v", "reg [WIDTH-1:0] words", "(* mem2reg *) reg [WIDTH-1:0] words"),
)


def found(network: LbbvnSwitch, folder: Path, *edits: Edit) -> Counter[Memory]:
    """What Yosys makes of the memories of a line card."""
    sources = copied(folder, RTL, *network.rtl.synthesized(RTL))
    for edit in edits:
        edit.apply(folder / "rtl")
    block = card(network)
    run_yosys(
        (
            sources.read(),
            hierarchy(block.top, dict(block.parameters)),
            "proc; flatten; opt; memory -nomap; opt_clean",
            "write_json card.json",
        ),
        folder,
    )
    (made,) = json.loads((folder / "card.json").read_text())["modules"].values()
    derived = {"WORD_W", "TOTAL_W"}
    assert made["parameter_default_values"].keys() - derived == dict(block.parameters).keys()
    return Counter(
        tuple(
            int(cell["parameters"][name], 2) for name in ("SIZE", "WIDTH", "WR_PORTS", "RD_PORTS")
        )
        for cell in made["cells"].values()
        if cell["type"] == "$mem_v2"
    )


def wanted(network: LbbvnSwitch) -> Iterator[Memory]:
    """The memories of a line card, by its scheme."""
    leaves, n, scheme, queues = network.leaves, network.n, network.scheme, network.queues

    def fifos(depth: int, width: int) -> Iterator[Memory]:
        """A FIFO a line card: places and counts, and the cells."""
        yield leaves, 2 * (depth.bit_length() - 1) + 1, 1, 1
        yield leaves * depth, width, 1, 1

    kept = network.width + n + 1
    if scheme == "MAILBOX":
        wait = n + queues.middle.bit_length() - 1
        yield queues.ingress, n, 1, 1  # destinations
        yield queues.ingress, network.width, 1, 1
        yield leaves, wait + 2, 1, 1  # departures
        yield leaves, queues.middle.bit_length() - 1 + queues.middle, 1, 2
        yield leaves * queues.middle, kept, 1, 1
        return
    yield from fifos(queues.middle, kept)
    if scheme != "BASIC":
        yield from fifos(queues.ingress, network.width)
    if scheme == "FOFF":
        yield leaves, n, 1, 1  # the middle of a VOQ's next cell
        yield from fifos(queues.resequencer, network.width)
        yield leaves * queues.resequencer, n, 1, 1  # sources
        yield leaves, n, 1, 2  # of the heads
        yield leaves, n, 1, 1  # middles that are expected


def eight(scheme: str) -> LbbvnSwitch:
    return LbbvnSwitch.from_variables({"N": "8", "SCHEME": scheme, "INGRESS": "32", "MIDDLE": "16"})


@pytest.mark.parametrize("scheme", ["BASIC", "UFS", "FOFF", "PADDED", "MAILBOX"])
def test_queues_are_memories(scheme: str, tmp_path: Path) -> None:
    """Each with one write port, and one or two to read."""
    network = eight(scheme)
    assert found(network, tmp_path) == Counter(wanted(network))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.file)
def test_what_is_no_memory_is_told(fault: Edit, tmp_path: Path) -> None:
    network = eight("BASIC")
    assert found(network, tmp_path, fault) != Counter(wanted(network))
