"""SPIN in small corners on Icarus; what the console tells."""

import re

import pytest

from tests.cli import Cli, passes


def sim(tb_cli: Cli, variables: str) -> str:
    return passes(tb_cli, "NETWORK=spin VERBOSE=1", variables)


@pytest.mark.usefixtures("icarus")
def test_packets_and_requests_pass_on_icarus(tb_cli: Cli) -> None:
    """One network, no shared buffers; nothing is checked of ways without a recorder."""
    text = sim(tb_cli, "SIM=icarus PLANES=1 SHARED=0 EXACT=0 TEST=hot_spot,all_memories")
    assert "L1 promises" in text and "waited in shared buffers" not in text
    found = re.search(r"(\d+) requests, (\d+) answered", text)
    assert found and found[1] == found[2] == "80"


@pytest.mark.usefixtures("icarus")
def test_damage_is_told(tb_cli: Cli) -> None:
    text = sim(tb_cli, "SIM=icarus PLANES=1 TEST=damaged_bit,damaged_requests")
    assert "L3 exact" in text
    found = re.search(r"(\d+) packets were damaged; (\d+) parts", text)
    assert found and int(found[2]) >= int(found[1]) == 96
    assert re.search(r"\d+ damaged requests were dropped", text)
