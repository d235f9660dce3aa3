"""What the tests of the flit link share."""

from collections.abc import Iterator

import pytest
from pyuvm import uvm_root

from tests.tb.bench.wormhole.software import Bench, Make, kary


@pytest.fixture
def bench() -> Iterator[Make]:
    """Makes a scoreboard outside a simulation."""

    def make(**variables: object) -> Bench:
        uvm_root().clear_singletons()
        return Bench(kary(**variables))

    yield make
    uvm_root().clear_singletons()
