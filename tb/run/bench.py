"""`make bench`: what the environment costs, beside a bare Verilated model that nobody checks."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import models
from models.leiserson.measure import mean_ratios
from tb.errors import UserError
from tb.links.slot import settings_rows
from tb.networks.base import ROOT
from tb.networks.lbbvn import Lbbvn
from tb.networks.leiserson import Leiserson
from tb.run import variables as v
from tb.run.build import BuildError, Built, build, compiler_flags, prepare_verilator
from tb.run.simulate import run_module
from tb.sequences.serial import permutations

HDL = ROOT / "tb" / "hdl"


@dataclass(frozen=True)
class Case:
    """A network and simulator to measure, and which kinds of stimulus."""

    sim: str
    values: dict[str, str]
    kinds: tuple[str, ...] = ("repeated", "fresh")

    def __str__(self) -> str:
        return f"{self.sim} " + " ".join(f"{k}={v}" for k, v in self.values.items())

    def chosen(self, wanted: dict[str, str]) -> bool:
        """Whether the variables that were given leave it."""
        own = {"SIM": self.sim, "NETWORK": "lbbvn", **self.values}
        return all(own.get(name) == value for name, value in wanted.items())


def _lbbvn(sim: str, leaves: int, control: str, *kinds: str) -> Case:
    return Case(sim, {"N": str(leaves), "CONTROL": control}, kinds)


def _leiserson(sim: str, processors: int, root: int) -> Case:
    return Case(sim, {"NETWORK": "leiserson", "N": str(processors), "W": str(root)})


CASES = (
    *(_lbbvn("verilator", n, "SCHEDULED", "repeated") for n in (16, 64, 256, 1024)),
    *(_lbbvn("verilator", n, "SELF", "repeated", "fresh", "classic") for n in (16, 64)),
    *(_lbbvn("verilator", n, "SELF", "repeated", "fresh") for n in (256, 1024)),
    *(_lbbvn("icarus", n, "SELF", "repeated", "fresh", "classic") for n in (16, 64)),
    *(_leiserson("verilator", n, w) for n, w in ((16, 16), (64, 16), (64, 64), (256, 64))),
    _leiserson("icarus", 16, 16),
)


ROUNDS = 3
COVERAGE_LEAVES = "64"  # the size at which the cost of functional coverage is measured


@dataclass
class Bare:
    """The yardstick: packets a CPU second without any check, the best of all rounds."""

    folder: Path
    leaves: int
    build_seconds: float
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
            if int(injected) != packets % (1 << 32):
                raise RuntimeError(f"the bare model took {injected} packets, not {packets}")
            if spent >= seconds:
                self.rate = max(self.rate, packets / spent)
                self.memory_mib = int(kib) / 1024
            clocks = int(clocks * max(2.0, 1.1 * seconds / max(spent, 0.01)))


def positive(name: str, value: str) -> float:
    """A positive number; UserError otherwise."""
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < 3600:
        raise UserError(f"{name}={value}: must be a number of seconds, above 0 and below 3600")
    return number


def better(figures: dict[str, Any], kind: str, new: dict[str, Any]) -> None:
    """Keep the faster of two measurements; one that found a fault is never faster."""
    old = figures.get(kind)
    if old is None or (
        old["passed"]
        and (not new["passed"] or new["packets"] / new["seconds"] > old["packets"] / old["seconds"])
    ):
        figures[kind] = new


def run(console: Console, values: dict[str, str]) -> int:
    """Measure all cases, or those that NETWORK=, SIM=, N=, CONTROL= and W= leave."""
    seconds = positive("SECONDS", values.pop("SECONDS", "1.5"))
    names = ("NETWORK", "SIM", "N", "CONTROL", "W")
    wanted = {k: values.pop(k) for k in names if k in values}
    cases = [case for case in CASES if case.chosen(wanted)]
    if not cases:
        given = " ".join(f"{k}={w}" for k, w in wanted.items())
        raise UserError(f"{given}: no such case; there is {'; '.join(map(str, CASES))}")
    parts: list[tuple[str, dict[str, Any]]] = []
    failed = False
    folder = ROOT / values.get("BUILD", "build") / "bench"
    shutil.rmtree(folder, ignore_errors=True)  # builds are measured cold
    tables: dict[str, Table] = {}
    for case in cases:
        console.print(f"measuring {case} …", soft_wrap=True)
        settings = v.check({**values, "SIM": case.sim, **case.values, "BUILD": str(folder)})
        built = build(settings, "FRAME")
        bare = build_bare(settings) if case.sim == "verilator" else None
        figures: dict[str, Any] = {}
        for _ in range(ROUNDS):  # in turns, and the best of each: the machine is shared
            if bare:
                bare.measure(seconds)
            for kind in case.kinds:
                if kind != "classic":
                    better(figures, kind, measure(settings, built, kind, seconds))
                    if case.values["N"] == COVERAGE_LEAVES:
                        blind = replace(settings, coverage=False)
                        better(figures, f"{kind} blind", measure(blind, built, kind, seconds))
        if "classic" in case.kinds:
            figures["classic"] = measure(settings, build(settings, "CLASSIC"), "classic", seconds)
        failed |= not all(f["passed"] for f in figures.values())
        table = tables.setdefault(settings.network.name, rates(settings.network.name))
        table.add_row(case.sim, *list(case.values.values())[-2:], *columns(bare, figures, built))
        parts += [(f"{case} {k}", f) for k, f in figures.items()]
    for table in tables.values():
        console.print(table)
    console.print(breakdown(parts))
    if "lbbvn" in tables:
        console.print(
            "lbbvn: LOWER_BOUND; fresh: a random permutation a slot, all losses predicted"
        )
    if "leiserson" in tables:
        console.print("leiserson: random permutations, each sent once, all losses predicted")
        if not wanted or wanted == {"NETWORK": "leiserson"}:
            for table in schedulers():
                console.print(table)
    return 1 if failed else 0


def rates(network: str) -> Table:
    """The table of one network, without rows."""
    what = "messages" if network == "leiserson" else "packets"
    table = Table(title=f"{network}: millions of {what} a CPU second, all verified", box=None)
    for title in (
        "simulator",
        "leaves",
        "W" if network == "leiserson" else "control",
        "bare",
        "verified",
        "ratio",
        "fresh",
        "ratio",
        "coverage costs %",
        "classic",
        "frame/classic",
        "build s",
        "bare build s",
        "MiB",
        "bare MiB",
    ):
        table.add_column(title, justify="right")
    return table


def schedulers() -> Iterator[Table]:
    """Off-line scheduling: time and memory against the number of messages; how good they are."""
    title = "off-line scheduling of random messages among 65,536 processors, W = 1626, one core"
    growth = Table(title=title, box=None)
    for name in ("scheduler", "messages", "least", "cycles", "CPU s", "peak MiB"):
        growth.add_column(name, justify="right")
    for scheduler in ("THEOREM1", "PER_LEVEL", "GREEDY"):
        for count in (10_000, 100_000, 1_000_000):
            done = subprocess.run(
                [sys.executable, "-m", "tb.run.bench_schedule", scheduler, str(count)],
                check=True,
                capture_output=True,
                text=True,
                cwd=ROOT,
            )
            growth.add_row(scheduler, f"{count:,}", *done.stdout.split())
    yield growth
    names = ("THEOREM1", "PER_LEVEL", "GREEDY", "ITERATED", "BALANCED")
    quality = Table(title="mean of d / ceil(load factor), 20 random 8-relations", box=None)
    for name in ("n", "W", *names):
        quality.add_column(name, justify="right")
    for n, root in ((16, 7), (64, 16), (64, 64)):
        means = mean_ratios(n, root, 20, names, seed=1)
        quality.add_row(str(n), str(root), *(f"{means[name]:.2f}" for name in names))
    yield quality


def columns(bare: Bare | None, figures: dict[str, Any], built: Built) -> Iterator[str]:
    """The figures of one case, in the order of the table."""
    rate = {k: f["packets"] / f["seconds"] for k, f in figures.items()}

    def ratio(name: str) -> str:
        return f"{rate[name] / bare.rate:.2f}" if bare and name in rate else ""

    def millions(name: str) -> str:
        return f"{rate[name] / 1e6:.3g}" if name in rate else ""

    yield f"{bare.rate / 1e6:.3g}" if bare else ""
    yield millions("repeated")
    yield ratio("repeated")
    yield millions("fresh")
    yield ratio("fresh")
    yield " / ".join(
        f"{100 * (1 - rate[kind] / rate[f'{kind} blind']):.0f}"
        for kind in ("repeated", "fresh")
        if f"{kind} blind" in rate
    )
    yield millions("classic")
    yield f"{rate['repeated'] / rate['classic']:.0f}" if "classic" in rate else ""
    yield f"{built.seconds:.0f}"
    yield f"{bare.build_seconds:.0f}" if bare else ""
    yield f"{max(f['memory_kib'] for f in figures.values()) / 1024:.0f}"
    yield f"{bare.memory_mib:.0f}" if bare else ""


def breakdown(parts: list[tuple[str, dict[str, Any]]]) -> Table:
    """Where the time of a frame goes."""
    names = [
        "simulator",
        "stimulus to memory",
        "random permutations",
        "prediction",
        "scoreboard",
        "coverage",
    ]
    table = Table(title="where the CPU time of a frame goes, per cent", box=None)
    table.add_column("")
    for name in [*names, "pyuvm and cocotb"]:
        table.add_column(name, justify="right")
    for label, figures in parts:
        if "classic" in label or "blind" in label:
            continue
        spent = dict(figures["parts"])
        spent["scoreboard"] = spent.get("scoreboard", 0.0) - spent.get("coverage", 0.0)
        share = [100 * spent.get(name, 0.0) / figures["seconds"] for name in names]
        table.add_row(label, *(f"{s:.1f}" for s in share), f"{max(0.0, 100 - sum(share)):.1f}")
    return table


def measure(settings: v.Variables, built: Built, stimulus: str, seconds: float) -> Any:
    """Play one kind of stimulus through the whole pyuvm environment."""
    network = settings.network
    rows = 16 if stimulus == "classic" else network.traffic_rows(settings.sim)
    if isinstance(network, Lbbvn) and network.control == "SCHEDULED" and rows >= network.leaves:
        rows = -(-rows // network.leaves) * network.leaves
    folder, problem = run_module(
        settings,
        built,
        "tb.run.bench_entry",
        {
            "scenarios": [],
            "rows": rows,
            "stimulus": stimulus,
            "cpu_seconds": seconds,
        },
    )
    figures = folder / "figures.json"
    if problem or not figures.exists():
        raise BuildError(f"the benchmark did not finish: {problem}; log: {folder / 'sim.log'}")
    return json.loads(figures.read_text())


def build_bare(settings: v.Variables) -> Bare:
    """Verilate the network alone under a C++ loop."""
    network = settings.network
    prepare_verilator()
    top, parameters = network.synthesis()
    label = "-".join([network.name, *network.variables().values()])
    folder = settings.build / "bare" / label
    folder.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    rtl = [str(p) for p in network.sources(settings.rtl) if p.is_relative_to(settings.rtl)]
    subprocess.run(
        ["verilator", "--cc", "--exe", "--prefix", "Vtop", "-o", "bare", "-Mdir", str(folder)]
        + ["--top-module", top, "--replication-limit", "1000000", *network.verilator_flags()]
        + [f"-I{p}" for p in network.includes(settings.rtl)]
        + [f"-G{k}={value}" for k, value in parameters.items()]
        + ["-CFLAGS", f"-I{HDL}", str(HDL / f"bare_{network.link}.cpp"), *rtl],
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
    assert isinstance(network, Lbbvn | Leiserson)
    image = slot_image(network) if isinstance(network, Lbbvn) else serial_image(network)
    (folder / "stimulus").write_bytes(image)
    return Bare(folder, network.leaves, build_seconds)


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
    frame = models.bit_reverse_shifts(network.n)
    image = Image()
    word, port = image.word, image.port
    if network.control == "SCHEDULED":
        settings = models.compile_settings(frame, network.lanes, network.static_upper)
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
        port(dst >= 0)
        port((dst[:, None] >> np.arange(network.n) & 1).astype(np.bool_))
        port((data[:, None] >> np.arange(network.width, dtype=np.uint64) & 1).astype(np.bool_))
    return b"".join(image.parts)
