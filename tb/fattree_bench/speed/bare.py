"""The yardstick of `make bench`: a Verilated network under a C++ loop, and what that loop plays."""

import hashlib
import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.slot.frame import settings_rows
from fattree_bench.bench.links.slot.network import SlotNetwork
from fattree_bench.families import FOLDER, family
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.traffic import bench_cells
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.traffic import permutations
from fattree_bench.families.xgft.traffic import bench_packets
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import compiler_flags, prepare_verilator
from fattree_models import lbbvn
from fattree_models.common.checks import Int32Array


@dataclass
class Bare:
    """The yardstick: packets a CPU second without any check, the best of all rounds."""

    folder: Path
    leaves: int
    build_seconds: float
    counted: bool = False  # the loop says how many packets, or flit-hops, there were
    rate: float = 0.0
    memory_mib: float = 0.0

    def measure(self, seconds: float) -> None:
        """Let the C++ loop run for about so long."""
        clocks, spent = 64, 0.0
        while spent < seconds:
            text = subprocess.run(
                [str(self.folder / "bare"), str(self.folder / "stimulus"), str(clocks)],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            ran, injected, _, cpu, kib = text.split()
            packets, spent = int(ran) * self.leaves, float(cpu)
            if self.counted:
                packets = int(injected)
            elif int(injected) != packets % (1 << 32):
                raise RuntimeError(f"the bare model took {injected} packets, not {packets}")
            if spent >= seconds:
                self.rate = max(self.rate, packets / spent)
                self.memory_mib = int(kib) / 1024
            clocks = int(clocks * max(2.0, 1.1 * seconds / max(spent, 0.01)))


def build_bare(settings: v.Variables) -> Bare:
    """Verilate the network alone under a C++ loop."""
    network = settings.network
    prepare_verilator()
    top, parameters = network.synthesis()
    design = json.dumps([network.link, top, parameters], sort_keys=True)
    key = hashlib.sha256(design.encode()).hexdigest()[:8]
    folder = settings.build / "bare" / f"{network.name}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    rtl = [str(p) for p in network.sources(settings.rtl) if p.is_relative_to(settings.rtl)]
    subprocess.run(
        ["verilator", "--cc", "--exe", "--prefix", "Vtop", "-o", "bare", "-Mdir", str(folder)]
        + ["--top-module", top, "--replication-limit", "1000000", *network.verilator_flags()]
        + [f"-I{p}" for p in network.includes(settings.rtl)]
        + [f"-G{k}={value}" for k, value in parameters.items()]
        + [
            "-CFLAGS",
            f"-I{Path(__file__).parent}",
            str(FOLDER / family(network.name) / "hdl" / "bare.cpp"),
        ]
        + rtl,
        check=True,
        capture_output=True,
    )
    subprocess.run(
        [
            "make",
            "-j2",
            "-C",
            str(folder),
            "-f",
            "Vtop.mk",
            *compiler_flags(network.verilator_flags()),
        ],
        check=True,
        capture_output=True,
    )
    build_seconds = time.perf_counter() - start
    (folder / "stimulus").write_bytes(IMAGES[network.link](network))
    return Bare(folder, network.leaves, build_seconds, network.link in ("cell", "flit"))


class Image:
    """A file of counts and images of ports, as bare.h reads it."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def word(self, number: int) -> None:
        self.parts.append(np.uint32(number).tobytes())

    def port(self, bits: Any) -> None:
        packed = np.packbits(bits, bitorder="little").tobytes()
        self.word(len(packed))
        self.parts.append(packed)

    def slot(self, network: SlotNetwork, dst: Int32Array, data: Words) -> None:
        """The ports of the slot link in one slot."""
        self.port(dst >= 0)
        self.port((np.maximum(dst, 0)[:, None] >> np.arange(network.n) & 1).astype(np.bool_))
        bits = np.arange(network.width, dtype=np.uint64)
        self.port((data[:, None] >> bits & 1).astype(np.bool_))


def serial_image(network: Leiserson) -> bytes:
    """What bare_serial.cpp reads: the permutations that the bench repeats, one a cycle."""
    image = Image()
    item = permutations(network, np.random.default_rng(1), network.frame_rows)
    item.sequence = 0
    messages = network.images(item.dst, network.words(item), None)
    bits = np.unpackbits(messages, axis=2, count=network.tree.frame_bits, bitorder="little")
    image.word(len(item.dst))
    for dst, row in zip(item.dst, bits, strict=True):
        image.port(dst >= 0)
        image.port(row.ravel())
    return b"".join(image.parts)


def slot_image(network: Lbbvn) -> bytes:
    """What bare_slot.cpp reads: rows of settings, then the paper's frame as images of ports."""
    frame = lbbvn.bit_reverse_shifts(network.n)
    image = Image()
    word, port = image.word, image.port
    if network.control == "SCHEDULED":
        settings = lbbvn.compile_settings(frame, network.lanes, network.static_upper)
        rows = settings_rows(settings)
        word(sum(len(bits) for _, bits in rows))
        for level, bits in rows:
            for slot, row in enumerate(bits):
                word(level)
                word(slot)
                port(row)
    else:
        word(0)
    words = network.payload.base(len(frame)).astype(np.uint64)
    word(len(frame))
    for dst, data in zip(frame, words, strict=True):
        image.slot(network, dst, data)
    return b"".join(image.parts)


def cell_image(network: LbbvnSwitch) -> bytes:
    """What bare_cell.cpp reads: the cells that the bench repeats, as images of ports."""
    image = Image()
    frame = bench_cells(network, np.random.default_rng(1))
    words = network.payload.base(len(frame)).astype(np.uint64)
    image.word(len(frame))
    for dst, data in zip(frame, words, strict=True):
        image.word(int(np.count_nonzero(dst >= 0)))
        image.port(dst >= 0)
        image.port((np.maximum(dst, 0)[:, None] >> np.arange(network.n) & 1).astype(np.bool_))
        image.port(
            (data[:, None] >> np.arange(network.width, dtype=np.uint64) & 1).astype(np.bool_)
        )
    return b"".join(image.parts)


def flit_image(network: XgftNetwork) -> bytes:
    """What bare_flit.cpp reads: widths, and the packets that the bench repeats, node by node."""
    image = Image()
    packets = bench_packets(network, np.random.default_rng(1))
    flit_bits = network.width + 2
    for number in (network.leaves, network.vcs, network.depth, network.width, flit_bits):
        image.word(number)
    for number in (network.address_bits, network.node_bits):
        image.word(number)
    starts = packets.starts(network.leaves)
    for node in range(network.leaves):
        part = slice(int(starts[node]), int(starts[node + 1]))
        rows = np.stack(
            [packets.release[part], packets.destination[part], packets.flits[part]], axis=1
        )
        image.word(len(rows))
        image.parts.append(rows.astype(np.uint32).tobytes())
    return b"".join(image.parts)


IMAGES: dict[str, Callable[[Any], bytes]] = {
    "slot": slot_image,
    "serial": serial_image,
    "flit": flit_image,
    "cell": cell_image,
}
