"""What the tests of the cell link share."""

from collections.abc import Iterator

import pytest
from pyuvm import uvm_root

from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from tests.tb.families.lbbvn_switch.software import Bench, Make


@pytest.fixture
def bench() -> Iterator[Make]:
    """Makes a scoreboard outside a simulation."""

    def make(network: LbbvnSwitch) -> Bench:
        uvm_root().clear_singletons()
        return Bench(network)

    yield make
    uvm_root().clear_singletons()
