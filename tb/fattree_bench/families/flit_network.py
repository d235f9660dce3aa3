"""What networks of the flit link say alike of runs and reports, where they know nothing better."""

from typing import Any, ClassVar

import numpy as np

from fattree_bench.families.family import NetworkDefaults
from fattree_bench.prover.hints import Hints
from fattree_models.common.checks import Int64Array

# Outputs that carry flits and those that say which are valid, as the RTL here names them.
LINKS = (("flit_o", "valid_o"), ("link_flit_o", "link_valid_o"))


class FlitNetworkDefaults(NetworkDefaults):
    """To be inherited last, by a network that has `leaves` and `workload`."""

    recorder: ClassVar[str] = ""

    @property
    def recorded_links(self) -> int:
        return 0

    @property
    def recorded_bits(self) -> tuple[int, int]:
        return 0, 0

    @property
    def recorded_states(self) -> int:
        return 0

    @property
    def compares(self) -> bool:
        """No model says what is on each link in each clock."""
        return False

    @property
    def hints(self) -> Hints:
        return Hints(LINKS)

    @property
    def default_test(self: Any) -> str:
        return "file" if self.workload.file else "traffic"

    @property
    def size_text(self: Any) -> str:
        """What a sweep's folder is called after."""
        return str(self.leaves)

    def traffic_rows(self, sim: str) -> int:
        """Clocks of random traffic in a test."""
        return 2000 if sim == "verilator" else 200

    def drawn_lanes(self) -> Int64Array:
        return np.zeros(0, np.int64)  # no picture: none of them is a binary tree of lanes

    def laws(self) -> dict[str, list[tuple[float, float]]]:
        """Nobody knows the latency under load in closed form."""
        return {}
