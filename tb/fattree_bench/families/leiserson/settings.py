"""The variables of Leiserson's bit-serial fat-tree, and what follows from them."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path

import numpy as np

from fattree_bench.bench.form import FORM
from fattree_bench.bench.links.payload import Payload
from fattree_bench.bench.links.serial.network import SerialLayout
from fattree_bench.bench.messages import MESSAGES, check_width
from fattree_bench.bench.network import Network
from fattree_bench.errors import UserError
from fattree_bench.paths import ROOT
from fattree_bench.settings import (
    Part,
    Settings,
    flag,
    integer,
    number,
    parsed,
    plain,
    power_of_two,
    text,
    word,
)
from fattree_models import leiserson
from fattree_models.common.checks import Int64Array
from fattree_models.universality.layout import Layout
from fattree_models.universality.layout_files import read_layout
from fattree_models.universality.networks import NETWORKS as LAYOUTS
from fattree_models.universality.simulation import Identified

CAPACITIES = ("UNIVERSAL", "NONBLOCKING")
SCHEDULERS = ("BALANCED", "ITERATED", "GREEDY", "PER_LEVEL", "THEOREM1", "COROLLARY2", "COLOURING")
MAX_WIRES = 1024  # of a channel
MESSAGES_A_FRAME = 4096  # enough to make waking Python cheap, small enough for the cache


class Offline(Settings):
    """Messages known beforehand, who schedules them, and nodes that a schedule sets.

    Attributes
    ----------
    leaves, width : as of the tree.
    """

    leaves: int
    width: int

    nodes = word(
        "NODES",
        "ONLINE",
        {"ONLINE": "", "OFFLINE": "set by the schedule: no address, no acknowledge; PARTIAL"},
    )
    scheduler = word("SCHEDULER", "BALANCED", SCHEDULERS, "off-line")
    messages = MESSAGES
    emulate = text(
        "EMULATE",
        "",
        "network whose edges are the message set, and whose volume gives W: a layout.csv of your "
        "own, or, for N >= 16, {allowed}",
        LAYOUTS,
    )

    @cached_property
    def message_set(self) -> leiserson.MessageSet | None:
        """The messages of the file MESSAGES, or of the network EMULATE."""
        if self.emulated:
            name = Path(self.emulate).name
            return leiserson.MessageSet(*self.emulated.edges(), None, 0, name)
        if not self.messages:
            return None
        named = f"MESSAGES={self.messages}"
        try:
            found = leiserson.read_messages(ROOT / self.messages, self.leaves, named)
        except ValueError as error:
            raise UserError(str(error)) from None
        if not len(found.src):
            raise UserError(f"{named}: all messages stay within their processors")
        check_width(self.messages, found.payload, self.width)
        return found

    @cached_property
    def emulated(self) -> Identified | None:
        """The network EMULATE, its processors identified with the leaves."""
        if not self.emulate:
            return None
        if self.emulate.endswith(".csv") and not self.messages:
            return Identified.of(self._layout(), self.leaves)
        if self.messages or self.emulate not in LAYOUTS or self.leaves < 16:
            raise UserError(
                f"EMULATE={self.emulate}: must be {', '.join(LAYOUTS)} for N=16 or more, or a "
                "layout.csv, no MESSAGES"
            )
        return Identified.of(LAYOUTS[self.emulate](self.leaves), self.leaves)

    def _layout(self) -> Layout:
        """The layout of the file EMULATE."""
        try:
            found = read_layout(ROOT / self.emulate, f"EMULATE={self.emulate}")
        except ValueError as error:
            raise UserError(str(error)) from None
        if found.processors > self.leaves:
            count = found.processors
            raise UserError(f"EMULATE={self.emulate}: has {count} processors; N is {self.leaves}")
        return found

    def capacity(self, tree: leiserson.SerialTree) -> Int64Array:
        """What a scheduler may fill: partial concentrators promise less than their wires."""
        cap = np.array(tree.cap)
        if tree.concentrator == "IDEAL":
            return cap
        try:
            return leiserson.effective_capacity(cap)
        except ValueError as error:
            raise UserError(f"CONCENTRATOR=PARTIAL: {error}") from None

    def check_for(self, tree: leiserson.SerialTree) -> None:
        """UserError for messages that no tree could deliver, or a scheduler not for this one."""
        _, cap = self.message_set, self.capacity(tree)
        try:
            if self.scheduler in ("COROLLARY2", "COLOURING"):
                leiserson.schedule(np.array([0]), np.array([1]), cap, self.scheduler)
        except ValueError as error:
            raise UserError(f"SCHEDULER={self.scheduler}: {error}") from None


class LeisersonSettings(Network):
    """The variables of a bit-serial fat-tree of 2^n processors, and what follows from them."""

    n = power_of_two("N", 16, 1, 10, "processors", rtl="N_LOG")
    root = text("W", "", "root capacity, n^(2/3) … n, of UNIVERSAL capacities; empty: the least")
    capacity = parsed(
        "CAPACITY",
        "UNIVERSAL",
        "wires per channel: UNIVERSAL, NONBLOCKING, or one number per level, the channel above the "
        "root first, as 8,6,4,2,1",
        str.upper,
    ).but(words=CAPACITIES)
    concentrator = word(
        "CONCENTRATOR",
        "IDEAL",
        {
            "IDEAL": "",
            "PARTIAL": "Pippenger's, of at most 96 inputs: N = 64, or N = 256 and W up to 48",
        },
        rtl=True,
    )
    priority = word(
        "PRIORITY", "FIXED", {"FIXED": "", "ROTATING": "by a wire each delivery cycle"}, rtl=True
    )
    discipline = word(
        "DISCIPLINE",
        "RETRY",
        {"RETRY": "send again always", "RANDOMISED": "Greenberg, Leiserson"},
        "on-line",
        rtl=True,
    )
    pipeline = flag("PIPELINE", 1, "a register per node and direction", "none", rtl=True)
    width = number(
        "WIDTH", 32, 1, 64, "data bits of a message, log2 of the wires + 4 … 64", rtl=True
    )
    count_w = number(
        "COUNT_W", 32, 1, 32, "bits of its counters, enough for the wires … 32", rtl=True
    )
    form = FORM
    offline = Part(Offline, lambda s: {"leaves": s.leaves, "width": s.width})

    def check(self) -> None:
        """Mistakes of the user are found before anything is built."""
        bits = self.wires.bit_length()
        for name, value, low, high in (
            ("COUNT_W", self.count_w, bits, 32),
            ("WIDTH", self.width, bits + 4, 64),
        ):
            integer(name, str(value), f"{low} … {high} for {self.wires} wires", low, high)
        if self.tree.offline and (self.priority, self.discipline) != ("FIXED", "RETRY"):
            raise UserError(
                "NODES=OFFLINE: these nodes decide nothing, so PRIORITY and DISCIPLINE do not apply"
            )
        self.offline.check_for(self.tree)

    @property
    def default_test(self) -> str:
        if self.offline.messages or self.offline.emulate:
            return "file"
        return "offline" if self.tree.offline else "permutation"

    # ---- what it is --------------------------------------------------------------------------

    @property
    def leaves(self) -> int:
        return 1 << self.n

    @cached_property
    def cap(self) -> Int64Array:
        """Wires of a channel, each way, int64 [n + 1], from the channel above the root."""
        if self.root and self.capacity != "UNIVERSAL":
            raise UserError(f"W={self.root}: only UNIVERSAL capacities follow from it")
        try:
            if self.capacity == "UNIVERSAL":
                least = leiserson.least_root(self.leaves)
                emulated = self.offline.emulated
                root = integer(
                    "W",
                    self.root or str(emulated.capacities[0] if emulated else least),
                    f"{least} … {self.leaves} for N={self.leaves}",
                    least,
                    self.leaves,
                )
                return leiserson.universal(self.leaves, root)
            if self.capacity == "NONBLOCKING":
                return leiserson.nonblocking(self.leaves)
            numbers = [plain(word.strip()) for word in self.capacity.split(",")]
        except ValueError:
            raise UserError(
                f"CAPACITY={self.capacity}: must be UNIVERSAL, NONBLOCKING or {self.n + 1} "
                "numbers, one a level from the channel above the root, as 8,6,4,2,1"
            ) from None
        if len(numbers) != self.n + 1:
            raise UserError(
                f"CAPACITY={self.capacity}: has {len(numbers)} numbers; "
                f"N={self.leaves} needs {self.n + 1}, the channel above the root first"
            )
        if max(numbers) > MAX_WIRES:
            raise UserError(f"CAPACITY={self.capacity}: at most {MAX_WIRES} wires a channel")
        try:
            return leiserson.check_capacity(self.leaves, numbers, f"CAPACITY={self.capacity}")
        except ValueError as error:
            raise UserError(str(error)) from None

    @cached_property
    def tree(self) -> leiserson.SerialTree:
        """The model's idea of it."""
        nodes = self.offline.nodes
        try:
            return leiserson.SerialTree(
                cap=tuple(self.cap.tolist()),
                concentrator="PARTIAL" if nodes == "OFFLINE" else self.concentrator,
                priority=self.priority,
                pipeline=int(self.pipeline),
                data_bits=self.width,
                nodes=nodes,
            )
        except ValueError as error:
            raise UserError(f"NODES={nodes}, CONCENTRATOR={self.concentrator}: {error}") from None

    @property
    def wires(self) -> int:
        """Sending wires, and as many receiving ones: the processors', then those to outside."""
        return self.leaves * int(self.cap[-1]) + int(self.cap[0])

    @cached_property
    def layout(self) -> SerialLayout:
        """Counters of lost messages are by level, up, then down."""
        return SerialLayout(
            wires=self.wires,
            payload=Payload((self.wires - 1).bit_length(), self.width),
            ticks=self.tree.cycle_ticks,
            message_bits=self.tree.frame_bits,
            rows=min(256, max(16, MESSAGES_A_FRAME >> self.n)),
            counters=2 * (self.n + 1),
            encode=partial(leiserson.encode, self.tree),
            setting_bits=leiserson.setting_bits(self.tree) if self.tree.offline else 1,
            settings=partial(leiserson.settings, self.tree) if self.tree.offline else None,
        )

    def traffic_rows(self, sim: str) -> int:
        """Delivery cycles of random traffic in a test."""
        return self.layout.rows if sim == "verilator" else 8

    def drawn_lanes(self) -> Int64Array:
        inside = np.concatenate([[0], self.cap[1:]])
        return inside if self.cap[-1] == 1 else inside[:0]  # a processor is drawn with one wire
