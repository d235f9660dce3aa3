"""What the tests of the flit link share."""

import pytest

from tests.tb.bench.wormhole.software import Bench, Make, kary


@pytest.fixture
def bench() -> Make:
    """Makes a scoreboard outside a simulation."""
    return lambda **variables: Bench(kary(**variables))
