"""The whole load-balanced Birkhoff-von Neumann switch (rtl/lbbvn_switch)."""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from fattree_bench.bench import workload
from fattree_bench.bench.links.payload import Payload
from fattree_bench.bench.links.slot import HDL as LINK
from fattree_bench.bench.links.slot.frame import player_public
from fattree_bench.errors import UserError
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.paths import HDL as BENCH
from fattree_bench.report.words import Units
from fattree_bench.settings import Parameter, choice, integer
from fattree_models import lbbvn
from fattree_models import lbbvn_switch as switch
from fattree_models.common.checks import Int32Array, Int64Array

HDL = Path(__file__).resolve().parent / "hdl"

SIZES = {str(1 << n): n for n in range(2, 7)}
FABRICS = ("TREE", "CROSSBAR")
DEPTHS = ("INGRESS", "MIDDLE", "RESEQUENCER")
CHOICES = ("THRESHOLD", "GATE", "TRIES")
MOST_DEPTH = 4096
NUMBER_BITS = 20  # of a cell's slot in its payload: less than that every cell spends in the switch
MOST_SLOTS = 1_000_000  # of a file
COUNTERS = 8  # words; behind them three flags a line card

QUEUES = (
    Parameter("INGRESS", "", "cells of an input's FIFO or VOQ, a power of two; empty: enough"),
    Parameter("MIDDLE", "", "cells of a middle's FIFO, or places of a mailbox; empty: enough"),
    Parameter("RESEQUENCER", "", "FOFF: cells of a FIFO of the resequencer; empty: enough"),
    Parameter("THRESHOLD", "", "PADDED: cells that are worth a frame, 1 … N; empty: as advised"),
    Parameter("GATE", "", "PADDED: cells in a middle that close an output; empty: as advised"),
    Parameter("TRIES", "", "MAILBOX: places that a cell tries; empty: as advised"),
)
DEFAULTS = {"TRAFFIC": "uniform:self", "PERIOD": ""}
HELP = {
    "LOAD": "cells a line card and slot, > 0 … 1",
    "PERIOD": "slots of a period; empty: 4 N², at least 1000",
}
TRAFFIC = tuple(
    replace(p, default=DEFAULTS.get(p.name, p.default), help=HELP.get(p.name, p.help))
    for p in workload.PARAMETERS
    if p.name != "FLITS"
)


@dataclass(frozen=True)
class LbbvnSwitch:
    """A switch of 2^n line cards: scheme, schedule, depths of its queues, and its fabric."""

    scheme: str
    schedule: str
    fabric_kind: str
    fabric: Lbbvn  # the tree; of a crossbar: its size, control and registers
    depths: tuple[int, int, int]  # INGRESS, MIDDLE, RESEQUENCER
    choices: tuple[int, int, int]  # THRESHOLD, GATE, TRIES
    workload: workload.Workload

    name: ClassVar[str] = "lbbvn_switch"
    agents: ClassVar[tuple[str, ...]] = ("FRAME",)
    summary: ClassVar[str] = (
        "whole load-balanced Birkhoff-von Neumann switch: queues at the line cards, five schemes"
    )
    link: ClassVar[str] = "cell"
    seeds: ClassVar[int] = 5
    units: ClassVar[Units] = Units("slots", "cells", "line card")
    lists: ClassVar[tuple[str, ...]] = ("N", "SCHEME", "SCHEDULE", "FABRIC", *DEPTHS, *CHOICES)
    top: ClassVar[str] = "lbbvn_switch_bench"
    default_test: ClassVar[str] = "traffic"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("N", "16", "line cards: 4, 8, 16, 32 or 64"),
        Parameter("SCHEME", "BASIC", ", ".join(switch.SCHEMES)),
        Parameter("SCHEDULE", "BITREV", "who meets whom: " + ", ".join(switch.SCHEDULES)),
        Parameter("FABRIC", "TREE", "TREE (rtl/lbbvn) or CROSSBAR"),
        *(p for p in Lbbvn.parameters if p.name in ("CAPACITY", "CONTROL", "UPPER_HALF")),
        Parameter("PIPELINE", "", "1: a register a level and direction, 0: none (MAILBOX: always)"),
        Parameter("WIDTH", "32", f"payload bits, log2(N) + {NUMBER_BITS} … 64"),
        Parameter("COUNT_W", "32", "bits of its counters, enough for the resequencers … 32"),
        *QUEUES,
        *TRAFFIC,
    )
    corners: ClassVar[tuple[dict[str, str], ...]] = (
        {"N": "4"},
        {"N": "4", "SCHEME": "UFS", "SCHEDULE": "TDM", "FABRIC": "CROSSBAR", "INGRESS": "8"},
        {"N": "4", "SCHEME": "FOFF", "CONTROL": "SCHEDULED", "INGRESS": "8", "MIDDLE": "4"},
        {"N": "4", "SCHEME": "FOFF", "RESEQUENCER": "4", "INGRESS": "8", "MIDDLE": "4"},
        {"N": "4", "SCHEME": "PADDED", "UPPER_HALF": "STATIC", "INGRESS": "8", "MIDDLE": "4"},
        {"N": "4", "SCHEME": "MAILBOX", "SCHEDULE": "XOR", "INGRESS": "4", "WIDTH": "64"},
        {"N": "8", "SCHEME": "PADDED", "SCHEDULE": "ROTATOR", "FABRIC": "CROSSBAR"},
    )
    small: ClassVar[dict[str, str]] = {"N": "4", "PERIOD": "40", "COUNT_W": "8"}

    @classmethod
    def from_variables(cls, variables: dict[str, str]) -> "LbbvnSwitch":
        value = {p.name: variables.get(p.name, p.default) for p in cls.parameters}
        for name in ("SCHEME", "SCHEDULE", "FABRIC"):
            value[name] = value[name].upper()
        if value["N"] not in SIZES:
            raise UserError(f"N={value['N']}: must be {', '.join(SIZES)}")
        n, scheme = SIZES[value["N"]], choice("SCHEME", value["SCHEME"], switch.SCHEMES)
        value["PIPELINE"] = value["PIPELINE"] or ("0" if scheme == "MAILBOX" else "1")
        least = n + NUMBER_BITS
        integer("WIDTH", value["WIDTH"], f"{least} … 64 for N={1 << n}", least, 64)
        fabric = Lbbvn.from_variables({p.name: value[p.name] for p in Lbbvn.parameters})
        value["MIDDLE"] = value["MIDDLE"] or str(switch.defaults(n, scheme).middle)
        for name, usual in _usual(n, scheme, _depth("MIDDLE", value, 2)).items():
            value[name] = value[name] or usual
        made = cls(
            scheme=scheme,
            schedule=choice("SCHEDULE", value["SCHEDULE"], switch.SCHEDULES),
            fabric_kind=choice("FABRIC", value["FABRIC"], FABRICS),
            fabric=fabric,
            depths=(
                _depth("INGRESS", value, 2 << n if scheme in switch.FRAMES else 2),
                _depth("MIDDLE", value, 2),
                _depth("RESEQUENCER", value, 2),
            ),
            choices=(
                integer("THRESHOLD", value["THRESHOLD"], f"1 … {1 << n}", 1, 1 << n),
                _within("GATE", value),
                _within("TRIES", value),
            ),
            workload=workload.Workload.from_variables(
                {**value, "FLITS": "1"}, leaves=1 << n, radix=2, max_flits=1
            ),
        )
        made._check()
        return made

    def _check(self) -> None:
        """What does not go together is found before anything is built."""
        _ = self.file_cells
        try:
            _ = self.shape
        except ValueError as error:
            message = str(error).partition(": ")[2]
            raise UserError(f"SCHEME={self.scheme} SCHEDULE={self.schedule}: {message}") from None
        if self.scheme == "FOFF":  # a counter tells how many cells its resequencers hold
            bits = self.n + self.depths[2].bit_length() + 1
            told = f"{bits} … 32 for N={self.leaves} RESEQUENCER={self.depths[2]}"
            integer("COUNT_W", str(self.fabric.count_w), told, bits, 32)
        if self.scheme == "MAILBOX" and self.fabric.pipeline:
            raise UserError(
                "SCHEME=MAILBOX PIPELINE=1: the answer must be back within the slot, PIPELINE=0"
            )
        if self.fabric_kind == "CROSSBAR":
            return
        if not self.fabric.predict(self.fabric_rows()).delivered.all():
            raise UserError(
                f"SCHEDULE={self.schedule} CAPACITY={self.fabric.capacity} "
                f"UPPER_HALF={self.fabric.upper_half}: the tree does not carry this schedule; "
                "allowed are BITREV or XOR, CAPACITY=NONBLOCKING or FABRIC=CROSSBAR"
            )

    def variables(self) -> dict[str, str]:
        tree = self.fabric.variables()
        own = {
            "N": tree["N"],
            "SCHEME": self.scheme,
            "SCHEDULE": self.schedule,
            "FABRIC": self.fabric_kind,
            **{name: tree[name] for name in ("CAPACITY", "CONTROL", "UPPER_HALF")},
            "PIPELINE": tree["PIPELINE"],
            "WIDTH": tree["WIDTH"],
            "COUNT_W": tree["COUNT_W"],
            **dict(zip(DEPTHS, map(str, self.depths), strict=True)),
            **dict(zip(CHOICES, map(str, self.choices), strict=True)),
            **self.workload.variables(),
        }
        usual = _usual(self.n, self.scheme, self.depths[1])
        return {
            p.name: "" if own[p.name] == usual.get(p.name) else own[p.name] for p in self.parameters
        }

    # ---- what it is --------------------------------------------------------------------------

    @property
    def n(self) -> int:
        return self.fabric.n

    @property
    def leaves(self) -> int:
        """Line cards."""
        return self.fabric.leaves

    @property
    def control(self) -> str:
        """Of the fabric; a crossbar needs no settings."""
        return self.fabric.control if self.fabric_kind == "TREE" else "SELF"

    @property
    def width(self) -> int:
        return self.fabric.width

    @property
    def payload(self) -> Payload:
        return self.fabric.payload

    @property
    def headers(self) -> bool:
        return True

    @property
    def counters(self) -> int:
        return COUNTERS + -(-3 * self.leaves // 32)

    @property
    def fabric_clocks(self) -> int:
        """Clocks through the fabric, LATENCY of lbbvn_switch.v."""
        return self.fabric.latency if self.fabric_kind == "TREE" else self.fabric.pipeline

    @property
    def latency(self) -> int:
        """Slots from the one in which a cell leaves to the one in which the bench sees it."""
        return 3 if self.scheme == "MAILBOX" else self.fabric_clocks + 4

    @cached_property
    def shape(self) -> switch.SwitchShape:
        """What the model is built of."""
        ingress, middle, resequencer = self.depths
        threshold, gate, tries = self.choices
        return switch.SwitchShape(
            self.n,
            self.scheme,
            self.schedule,
            ingress=ingress,
            middle=middle,
            resequencer=resequencer,
            threshold=threshold,
            gate=gate,
            feedback=self.fabric_clocks + 3,
            tries=tries,
        )

    @property
    def size_text(self) -> str:
        """What a sweep's folder is called after."""
        return str(self.leaves)

    def zero_load(self) -> tuple[float, str]:
        """Mean delay of a cell alone, slots, and where it comes from; NaN but for BASIC."""
        if self.scheme != "BASIC":
            return np.nan, ""
        waits = switch.meeting_slots(self.schedule, self.n)
        mean = float(np.average(waits, weights=self.workload.pattern.matrix()))
        return mean, f"slots until the middle meets the output: {mean:.2f} in the mean of all cells"

    def laws(self) -> dict[str, list[tuple[float, float]]]:
        """Mean delays in closed form: (load, slots) of the switch under BASIC, and of the ideal."""
        work = self.workload
        kind = traffic_kind(work.pattern_text, work.injection, self.leaves)
        if kind is None:
            return {}
        loads = np.linspace(0.01, 0.99, 99).tolist()
        return {
            "BASIC in theory": [(x, switch.mean_delay(self.n, x, kind)) for x in loads],
            "ideal in theory": [(x, switch.ideal_mean_delay(self.n, x, kind)) for x in loads],
        }

    @cached_property
    def file_cells(self) -> Int32Array | None:
        """The cells of PACKETS=file as arrivals; None if there is none."""
        packets = self.workload.packets
        if packets is None:
            return None
        slots = int(packets.release.max()) + 1
        try:
            if slots > MOST_SLOTS:
                raise ValueError(f"release: holds {slots - 1}; allowed are 0 … {MOST_SLOTS - 1}")
            return switch.arrivals(packets, self.leaves, slots)
        except ValueError as error:
            raise UserError(f"PACKETS={self.workload.file}: {error}") from None

    @property
    def in_order(self) -> bool:
        """Cells of a flow leave in the order in which they came, unless one was dropped."""
        return self.scheme != "BASIC"

    @property
    def frame_slots(self) -> int:
        return self.fabric.frame_slots

    def traffic_rows(self, sim: str) -> int:
        """Slots of random traffic in a test."""
        return 4096 if sim == "verilator" else 256

    def outline(self) -> str:
        return f"load-balanced switch of {self.leaves} line cards"

    def drawn_lanes(self) -> Int64Array:
        return self.fabric.drawn_lanes() if self.fabric_kind == "TREE" else np.zeros(0, np.int64)

    # ---- what it becomes in Verilog ------------------------------------------------------------

    def sources(self, rtl: Path) -> list[Path]:
        return [
            *sorted((rtl / "common").glob("*.v")),
            *sorted((rtl / "lbbvn").glob("*.v")),
            *sorted((rtl / "lbbvn_switch").glob("*.v")),
            BENCH / "counter_extender.v",
            LINK / "slot_player.v",
            HDL / "lbbvn_switch_bench.v",
        ]

    def includes(self, rtl: Path) -> list[Path]:
        return [rtl / "common", rtl / "lbbvn_switch", BENCH]

    def verilator_flags(self) -> list[str]:
        """Unrolled loops over 32 line cards or more would take minutes to compile."""
        return ["-O3"] if self.n <= 4 else ["-O3", "--expand-limit", "4", "--unroll-count", "12"]

    def row_width(self) -> int:
        return self.fabric.row_width() if self.control == "SCHEDULED" else 1

    def verilog_parameters(self, agent: str) -> dict[str, Any]:
        tree = self.fabric.verilog_parameters("FRAME")
        kept = ("N_LOG", "W", "UPPER_HALF", "PIPELINE", "CAPACITY", "LANES", "COUNT_W")
        bench = ("SLOTS", "DATA_STRIDE")
        return {
            **{name: tree[name] for name in (*kept, *bench)},
            "SCHEME": f'"{self.scheme}"',
            "SCHEDULE": f'"{self.schedule}"',
            "FABRIC": f'"{self.fabric_kind}"',
            "CONTROL": f'"{self.control}"',
            **dict(zip(DEPTHS, self.depths, strict=True)),
            **dict(zip(CHOICES, self.choices, strict=True)),
            "ROW_W": self.row_width(),
        }

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        own = self.verilog_parameters("FRAME")
        return "lbbvn_switch", {k: v for k, v in own.items() if k not in ("SLOTS", "DATA_STRIDE")}

    def public(self, transport: str) -> str:
        return player_public(transport) + (
            'public_flat_rw -module "lbbvn_switch_bench" -var "clk"\n'
        )

    # ---- what it must do -----------------------------------------------------------------------

    def fabric_rows(self) -> Int32Array:
        """Where the fabric leads the words of each clock after a reset, int32 [2N, N]."""
        phases = switch.connections(self.schedule, self.n)
        late = 2 if self.scheme == "MAILBOX" else 3 + self.fabric_clocks // 2
        slots = np.arange(self.leaves)
        rows = np.empty((2 * self.leaves, self.leaves), np.int32)
        rows[0::2] = phases.to_output[(slots - late) % self.leaves]
        rows[1::2] = phases.to_middle[(slots - 1) % self.leaves]
        return rows

    def settings(self) -> lbbvn.Settings:
        """Rows of settings of a SCHEDULED tree."""
        fabric = self.fabric
        return lbbvn.compile_settings(self.fabric_rows(), fabric.lanes, fabric.static_upper)


def _usual(n: int, scheme: str, middle: int) -> dict[str, str]:
    """What the variables that are left empty are, for a middle of this depth."""
    usual = switch.defaults(n, scheme)
    return {
        **{name: str(getattr(usual, name.lower())) for name in (*DEPTHS, "THRESHOLD")},
        **{name: str(min(middle, getattr(usual, name.lower()))) for name in ("GATE", "TRIES")},
        "PERIOD": str(max(1000, 4 << 2 * n)),
    }


def traffic_kind(pattern: str, injection: str, leaves: int) -> str | None:
    """The kind of traffic, as of lbbvn_switch.mean_delay, whose delays are known."""
    if pattern != "uniform:self":
        return None
    if injection == "bernoulli":
        return "bernoulli"
    frame = re.fullmatch(r"frame:(\d+)", injection)
    return "frame" if frame and int(frame[1]) == leaves else None


def _depth(name: str, value: dict[str, str], least: int) -> int:
    """The depth of a queue."""
    allowed = f"a power of two, {least} … {MOST_DEPTH}"
    number = integer(name, value[name], allowed, least, MOST_DEPTH)
    if number & (number - 1):
        raise UserError(f"{name}={number}: must be {allowed}")
    return number


def _within(name: str, value: dict[str, str]) -> int:
    """A number of places of a queue in the middle."""
    most = _depth("MIDDLE", value, 2)
    return integer(name, value[name], f"1 … MIDDLE = {most}", 1, most)


NETWORKS = (LbbvnSwitch,)
