"""A crossbar that relays packets (rtl/relay)."""

from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from fattree_bench.bench.links.payload import Payload
from fattree_bench.bench.links.slot import HDL as LINK
from fattree_bench.bench.links.slot.public import player_public
from fattree_bench.families.family import NetworkDefaults
from fattree_bench.paths import HDL as BENCH
from fattree_bench.settings import Settings, number, power_of_two
from fattree_models.common.checks import Int64Array

HDL = Path(__file__).resolve().parent / "hdl"


class Relay(Settings, NetworkDefaults):
    """A relay of 2^n inputs and outputs."""

    n = power_of_two("N", 4, 1, 6, "leaves", rtl="N_LOG")
    width = number("WIDTH", 16, 10, 64, "payload bits", rtl="W")
    count_w = number("COUNT_W", 32, 7, 32, "bits of its counters", rtl=True)

    name: ClassVar[str] = "relay"
    summary: ClassVar[str] = "crossbar that relays packets"
    agents: ClassVar[tuple[str, ...]] = ("FRAME",)
    link: ClassVar[str] = "slot"
    top: ClassVar[str] = "relay_bench"
    default_test: ClassVar[str] = "uniform"
    corners: ClassVar[tuple[dict[str, str], ...]] = ({"N": "4"}, {"N": "2", "COUNT_W": "7"})
    small: ClassVar[dict[str, str]] = {"N": "4", "WIDTH": "10", "COUNT_W": "7"}
    headers: ClassVar[bool] = True
    counters: ClassVar[int] = 2
    latency: ClassVar[int] = 1
    frame_slots: ClassVar[int] = 256

    @property
    def leaves(self) -> int:
        return 1 << self.n

    @cached_property
    def payload(self) -> Payload:
        return Payload(self.n, self.width)

    def row_width(self) -> int:
        return 1

    def traffic_rows(self, sim: str) -> int:
        return self.frame_slots

    def outline(self) -> str:
        return ""

    def drawn_lanes(self) -> Int64Array:
        return np.zeros(0, np.int64)

    def sources(self, rtl: Path) -> list[Path]:
        own = sorted((rtl / "relay").glob("*.v"))
        player = [BENCH / "counter_extender.v", LINK / "slot_player.v"]
        return [*own, *player, HDL / "relay_bench.v"]

    def includes(self, rtl: Path) -> list[Path]:
        return [rtl / "common", BENCH]

    def verilator_flags(self) -> list[str]:
        return ["-O3"]

    def verilog_parameters(self, agent: str) -> dict[str, Any]:
        return {
            **self.verilog(),
            "SLOTS": self.frame_slots,
            "DATA_STRIDE": self.payload.stride,
        }

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        return "relay_switch", dict(self.verilog())

    def public(self, transport: str) -> str:
        return player_public(transport)


NETWORKS = (Relay,)
