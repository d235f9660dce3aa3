"""The variables of a load-balanced switch, and what follows from them."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from fattree_bench.bench.links.payload import Payload
from fattree_bench.bench.links.slot.network import SlotLayout
from fattree_bench.bench.messages import Rows, read_rows
from fattree_bench.bench.network import Network, Swept
from fattree_bench.bench.workload import Workload
from fattree_bench.errors import UserError
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.own import Frames
from fattree_bench.settings import (
    Bound,
    Part,
    Settings,
    Variable,
    flag,
    integer,
    number,
    power_of_two,
    word,
)
from fattree_bench.words import Units
from fattree_models import lbbvn_switch as switch
from fattree_models.common.checks import Int32Array, Int64Array

MOST_DEPTH = 4096
NUMBER_BITS = 20  # of a cell's slot in its payload: less than that every cell spends in the switch
COUNTERS = 8  # words; behind them three flags a line card


def advised(name: str) -> Callable[[Any], int]:
    """What a variable is best left at."""
    return lambda s: getattr(switch.defaults(s.n, s.scheme), name)


def depth(name: str, help: str, least: Bound = 2) -> Variable[int]:
    """How many cells a queue holds."""
    return number(
        name,
        "",
        least,
        MOST_DEPTH,
        f"{help}; empty: enough",
        allowed="a power of two, {low} … {high}",
        fits=lambda cells: cells & (cells - 1) == 0,
        usual=advised(name.lower()),
        rtl=True,
    )


def places(name: str, help: str) -> Variable[int]:
    """A number of places of a queue in the middle."""
    best = getattr(switch.defaults(4, "BASIC"), name.lower())  # of all sizes and schemes
    return number(
        name,
        "",
        1,
        lambda s: s.middle,
        f"{help}, 1 … MIDDLE; empty: {best}",
        allowed="{low} … MIDDLE = {high}",
        usual=lambda s: min(s.middle, best),
        rtl=True,
    )


class Cells(Workload):
    """What is sent into a switch: packets of one flit, whose payload has so many bits."""

    width: int

    pattern_text = Workload.pattern_text.but(default="uniform:self")
    load = Workload.load.but(help="cells per line card and slot, > 0 … 1")
    flits = Workload.flits.but(default="1", fixed=True)
    period = Workload.period.but(
        default="",
        help="slots of a period, 10 … 1000000; empty: 4 N², at least 1000",
        usual=lambda s: max(1000, 4 * s.leaves**2),
    )

    @cached_property
    def packets(self) -> None:
        """Those of a file are `cells`."""

    @cached_property
    def cells(self) -> Rows | None:
        """The cells of MESSAGES=file as arrivals, with their words; None without a file."""
        return read_rows(self.file, self.leaves, self.width) if self.file else None

    def check(self) -> None:
        """Besides mistakes in any workload, those in a file of cells."""
        super().check()
        _ = self.cells


class Queues(Settings):
    """How much the queues of line cards and middles hold, and when they are served.

    Attributes
    ----------
    n, scheme, leaves : as of the switch.
    """

    n: int
    scheme: str
    leaves: int

    ingress = depth(
        "INGRESS",
        f"cells of an input's FIFO or VOQ, a power of two up to {MOST_DEPTH}",
        lambda s: 2 * s.leaves if s.scheme in switch.FRAMES else 2,
    )
    middle = depth("MIDDLE", "cells of a middle's FIFO, or places of a mailbox, {allowed}")
    resequencer = depth("RESEQUENCER", "FOFF: cells of a FIFO of the resequencer, {allowed}")
    threshold = number(
        "THRESHOLD",
        "",
        1,
        lambda s: s.leaves,
        "PADDED: cells that are worth a frame, 1 … N; empty: N / 16",
        usual=advised("threshold"),
        rtl=True,
    )
    gate = places("GATE", "PADDED: cells in a middle that close an output")
    tries = places("TRIES", "MAILBOX: places that a cell tries")


class Fabric(Settings):
    """What leads words from inputs to middles, and to outputs.

    Attributes
    ----------
    n, scheme : as of the switch.
    """

    n: int
    scheme: str

    kind = word("FABRIC", "TREE", {"TREE": "rtl/lbbvn", "CROSSBAR": ""}, rtl=True)
    folded = flag(
        "FOLDED", 1, "one fabric, used twice a slot", "two fabrics, one a phase", rtl=True
    )
    capacity = Lbbvn.capacity
    control = Lbbvn.control
    upper_half = Lbbvn.upper_half
    form = Lbbvn.form
    pipeline = Lbbvn.pipeline.but(
        default="",
        help=f"{Lbbvn.pipeline.help}; empty: 1, but for MAILBOX, which needs 0",
        usual=lambda s: s.scheme != "MAILBOX",
    )

    @cached_property
    def tree(self) -> Lbbvn:
        """The tree; of a crossbar: its size, control and registers."""
        own = {"N": str(1 << self.n), "PIPELINE": str(int(self.pipeline))}
        return Lbbvn.from_variables(self.variables() | own)

    @property
    def scheduled(self) -> bool:
        """It needs rows of settings; a crossbar does not."""
        return self.kind == "TREE" and self.control == "SCHEDULED"

    @property
    def clocks(self) -> int:
        """Clocks through it, LATENCY of lbbvn_switch.v."""
        return self.tree.latency if self.kind == "TREE" else int(self.pipeline)


class SweptSwitch(Swept["LbbvnSwitchSettings"]):
    """Its delays in theory."""

    def zero_load(self, network: "LbbvnSwitchSettings") -> tuple[float, str]:
        """Mean delay of a cell alone, slots, and where it comes from; NaN but for BASIC."""
        if network.scheme != "BASIC":
            return np.nan, ""
        waits = switch.meeting_slots(network.schedule, network.n)
        mean = float(np.average(waits, weights=network.workload.pattern.matrix()))
        return mean, f"slots until the middle meets the output: {mean:.2f} in the mean of all cells"

    def laws(self, network: "LbbvnSwitchSettings") -> dict[str, list[tuple[float, float]]]:
        """Mean delays in closed form: (load, slots) of the switch under BASIC, and of the ideal."""
        work, n = network.workload, network.n
        kind = traffic_kind(work.pattern_text, work.injection, network.leaves)
        if kind is None:
            return {}
        loads = np.linspace(0.01, 0.99, 99).tolist()
        return {
            "BASIC in theory": [(x, switch.mean_delay(n, x, kind)) for x in loads],
            "ideal in theory": [(x, switch.ideal_mean_delay(n, x, kind)) for x in loads],
        }


class LbbvnSwitchSettings(Network):
    """The variables of a switch of 2^n line cards, and what follows from them."""

    n = power_of_two("N", 16, 2, 6, "line cards", allowed="4, 8, 16, 32, 64", rtl="N_LOG")
    scheme = word("SCHEME", "BASIC", switch.SCHEMES, rtl=True)
    schedule = word(
        "SCHEDULE", "BITREV", switch.SCHEDULES, "which line cards meet in a slot", rtl=True
    )
    fabric = Part(Fabric, lambda s: {"n": s.n, "scheme": s.scheme})
    width = number(
        "WIDTH",
        32,
        lambda s: s.n + NUMBER_BITS,
        64,
        f"payload bits, log2(N) + {NUMBER_BITS} … 64",
        allowed="{low} … {high} for N={s.leaves}",
        rtl="W",
    )
    count_w = Lbbvn.count_w.but(help="bits of its counters, enough for the resequencers … 32")
    queues = Part(Queues, lambda s: {"n": s.n, "scheme": s.scheme, "leaves": s.leaves})
    swept = SweptSwitch(
        (
            *(v.name for v in (n, scheme, schedule, Fabric.kind)),
            *(v.name for v in Queues.parameters),
        ),
        Units("slots", "cells", "line card"),
        seeds=5,
        measured_as=switch.Comparison,
    )
    own = Part(Frames, lambda s: {"leaves": s.leaves})
    workload = Part(
        Cells, lambda s: {"leaves": s.leaves, "radix": 2, "max_flits": 1, "width": s.width}
    )

    def check(self) -> None:
        """What does not go together is found before anything is built."""
        try:
            _ = self.shape
        except ValueError as error:
            message = str(error).partition(": ")[2]
            raise UserError(f"SCHEME={self.scheme} SCHEDULE={self.schedule}: {message}") from None
        if self.scheme == "FOFF":  # a counter tells how many cells its resequencers hold
            bits = self.n + self.queues.resequencer.bit_length() + 1
            told = f"{bits} … 32 for N={self.leaves} RESEQUENCER={self.queues.resequencer}"
            integer("COUNT_W", str(self.count_w), told, bits, 32)
        if self.scheme == "MAILBOX" and self.fabric.pipeline:
            raise UserError(
                "SCHEME=MAILBOX PIPELINE=1: the answer must be back within the slot, PIPELINE=0"
            )
        if self.fabric.kind == "CROSSBAR":
            return
        if not self.fabric.tree.predict(self.fabric_rows()).delivered.all():
            raise UserError(
                f"SCHEDULE={self.schedule} CAPACITY={self.fabric.capacity} "
                f"UPPER_HALF={self.fabric.upper_half}: the tree does not carry this schedule; "
                "allowed are BITREV or XOR, CAPACITY=NONBLOCKING or FABRIC=CROSSBAR"
            )

    # ---- what it is --------------------------------------------------------------------------

    @property
    def leaves(self) -> int:
        """Line cards."""
        return 1 << self.n

    @cached_property
    def layout(self) -> SlotLayout:
        """Behind the counters are the flags of line cards."""
        tree = self.fabric.tree.layout
        return SlotLayout(
            payload=Payload(self.n, self.width),
            slots=tree.slots,
            counters=COUNTERS + -(-3 * self.leaves // 32),
            row_bits=tree.row_bits if self.fabric.scheduled else 1,
            clocks=2,
        )

    @property
    def latency(self) -> int:
        """Slots from the one in which a cell leaves to the one in which the bench sees it."""
        return 3 if self.scheme == "MAILBOX" else self.fabric.clocks + 4

    @cached_property
    def shape(self) -> switch.SwitchShape:
        """What the model is built of."""
        queues = self.queues
        return switch.SwitchShape(
            self.n,
            self.scheme,
            self.schedule,
            ingress=queues.ingress,
            middle=queues.middle,
            resequencer=queues.resequencer,
            threshold=queues.threshold,
            gate=queues.gate,
            feedback=self.fabric.clocks + 3,
            tries=queues.tries,
        )

    @property
    def in_order(self) -> bool:
        """Cells of a flow leave in the order in which they came, unless one was dropped."""
        return self.scheme != "BASIC"

    @property
    def default_test(self) -> str:
        return "own_frame" if self.own.name else super().default_test

    def traffic_rows(self, sim: str) -> int:
        """Slots of random traffic in a test."""
        return 4096 if sim == "verilator" else 256

    def outline(self) -> str:
        return f"load-balanced switch of {self.leaves} line cards"

    def drawn_lanes(self) -> Int64Array:
        fabric = self.fabric
        return fabric.tree.drawn_lanes() if fabric.kind == "TREE" else np.zeros(0, np.int64)

    def fabric_rows(self) -> Int32Array:
        """Where the fabric leads the words of each clock after a reset, int32 [2N, N]."""
        phases = switch.connections(self.schedule, self.n)
        late = 2 if self.scheme == "MAILBOX" else 3 + self.fabric.clocks // 2
        slots = np.arange(self.leaves)
        rows = np.empty((2 * self.leaves, self.leaves), np.int32)
        rows[0::2] = phases.to_output[(slots - late) % self.leaves]
        rows[1::2] = phases.to_middle[(slots - 1) % self.leaves]
        return rows


def burst_cells(injection: str) -> float:
    """Cells of a burst, which all go to one output, in the mean; 1: there are no bursts.

    >>> burst_cells("frame:16"), burst_cells("train:-,0.1,1"), burst_cells("bernoulli")
    (16.0, 10.0, 1.0)
    """
    if frame := re.fullmatch(r"frame:(\d+)", injection):
        return float(frame[1])
    train = re.fullmatch(r"train:-,([^,]+),([^,]+)", injection)
    return float(train[2]) / float(train[1]) if train else 1.0


def traffic_kind(pattern: str, injection: str, leaves: int) -> str | None:
    """The kind of traffic, as of lbbvn_switch.mean_delay, whose delays are known."""
    if pattern != "uniform:self":
        return None
    if injection == "bernoulli":
        return "bernoulli"
    frame = re.fullmatch(r"frame:(\d+)", injection)
    return "frame" if frame and int(frame[1]) == leaves else None
