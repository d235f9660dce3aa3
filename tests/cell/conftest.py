"""What the tests of the cell link share."""

from collections.abc import Callable, Iterator

import pytest
from pyuvm import uvm_root

from tb.networks.lbbvn_switch import LbbvnSwitch
from tests.cell.software import Bench


@pytest.fixture
def bench() -> Iterator[Callable[[LbbvnSwitch], Bench]]:
    """Makes a scoreboard outside a simulation."""

    def make(network: LbbvnSwitch) -> Bench:
        uvm_root().clear_singletons()
        return Bench(network)

    yield make
    uvm_root().clear_singletons()
