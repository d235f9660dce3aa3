"""A crossbar that relays packets (rtl/relay)."""

from functools import cached_property
from typing import Any, ClassVar

from fattree_bench.bench.interface.interface import (
    CLOCKED,
    Block,
    Counted,
    Interface,
    gives,
    takes,
)
from fattree_bench.bench.links.payload import Payload
from fattree_bench.bench.links.slot.player import player
from fattree_bench.families.family import NetworkDefaults
from fattree_bench.settings import Settings, number, power_of_two


class Relay(Settings, NetworkDefaults):
    """A relay of 2^n inputs and outputs."""

    n = power_of_two("N", 4, 1, 6, "leaves", rtl="N_LOG")
    width = number("WIDTH", 16, 10, 64, "payload bits", rtl="W")
    count_w = number("COUNT_W", 32, 7, 32, "bits of its counters", rtl=True)

    name: ClassVar[str] = "relay"
    summary: ClassVar[str] = "crossbar that relays packets"
    link: ClassVar[str] = "slot"
    rooms: ClassVar[tuple[str, ...]] = ("common", "relay")
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

    def interface(self, agent: str) -> Interface:
        found = Interface(
            name=self.name,
            origin=__name__,
            design=Block(
                "relay_switch",
                "u_switch",
                self.verilog(),
                (
                    *CLOCKED,
                    takes("valid_i", "send_valid", leaves="N"),
                    takes("dst_i", "send_dst", "N_LOG", "N"),
                    takes("data_i", "send_data", "W", "N"),
                    gives("valid_o", "receive_valid", leaves="N"),
                    gives("data_o", "receive_data", "W", "N"),
                    gives("sent_o", "sent", "COUNT_W"),
                    gives("lost_o", "lost", "COUNT_W"),
                ),
            ),
            constants={"N": self.leaves},
            state=(Counted("sent"), Counted("lost")),
            most="N",
        )
        return found.with_blocks(player(self, found))

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        return "relay_switch", dict(self.verilog())


NETWORKS = (Relay,)
