"""What the tests of the cell link share."""

import pytest

from tests.tb.families.lbbvn_switch.software import Bench, Make


@pytest.fixture
def bench() -> Make:
    """Makes a scoreboard outside a simulation."""
    return Bench
