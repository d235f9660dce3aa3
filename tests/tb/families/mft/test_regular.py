"""What modified fat-trees are compared with: a regular tree of wormhole switches, RTL."""

import re
from collections.abc import Callable

import pytest

from tests.cli import Cli, succeeds

# 16 clients, one virtual channel, and as much as they can send: as for modified fat-trees.
REGULAR = "NETWORK=kary K=2 LEVELS=4 VCS=1 FLITS=16 LOAD=1 TRAFFIC=uniform TEST=traffic"


@pytest.mark.nightly
@pytest.mark.parametrize("routing", ["DMODK", "ADAPTIVE"])
def test_what_a_regular_tree_accepts(
    routing: str, tb_cli: Cli, record_property: Callable[[str, float], None]
) -> None:
    text = succeeds(tb_cli("sim", *REGULAR.split(), f"ROUTING={routing}"))
    found = re.search(r"accepted ([\d.]+)", text)
    assert found, text
    record_property("accepted_by_a_regular_tree", float(found[1]))
    assert 0 < float(found[1]) < 1
