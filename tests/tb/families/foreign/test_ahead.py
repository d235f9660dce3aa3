"""Designs that look ahead: the sender says which output a packet takes at its first switch."""

from pathlib import Path

import pytest

from fattree_bench.errors import UserError
from fattree_bench.families.foreign.network import ForeignNetwork
from tests.cli import Cli

DESIGNS = Path(__file__).parent / "designs"
AHEAD = (DESIGNS / "ahead.toml").read_text().replace("ahead.v", f"{DESIGNS}/ahead.v")
RULE = '"2 - (source // 2 == destination // 2) * (2 - destination % 2)"'
TABLE = "[[0, 1, 2, 2], [0, 1, 2, 2], [2, 2, 0, 1], [2, 2, 0, 1]]"
WRONG = (
    (RULE, '"source +"', "link.route = 'source +': must be a number for each source and"),
    (RULE, '"hop"', "link.route = 'hop': hop is unknown"),
    (RULE, '"source - destination"', "link.route: -1 from 0 to 1: must be 0 … 2^31 - 1"),
    (RULE, '"4 * source"', "link.send.route: 2 bits cannot hold each of link.route"),
    (RULE, "[[0, 1, 2, 2]]", "link.route: must be 4 rows, one a source, of 4 numbers"),
    (RULE, TABLE.replace(", 1]]", "]]"), "link.route: must be 4 rows, one a source, of 4 numbers"),
    (RULE, "[[0, 1, 2, true], 1]", "link.route"),
    (f"route = {RULE}\n", "", "link.route: is missing; it says what goes with a packet as its"),
    (" route:2", " pad:2", "link.route: needs a field route"),
    ("last pad:2", "last route:2", "link.receive.route: link.kind = 'stream' has no route; it has"),
)


def network(folder: Path, old: str = "", new: str = "", **more: str) -> ForeignNetwork:
    assert old in AHEAD, "the case is out of date"
    path = folder / "mine.toml"
    path.write_text(AHEAD.replace(old, new, 1))
    return ForeignNetwork.from_variables({"DESIGN": str(path), **more})


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_a_mistake_is_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        network(tmp_path, old, new)
    assert message in str(caught.value) and "\n" not in str(caught.value), str(caught.value)


def test_a_table_says_the_same_as_an_expression(tmp_path: Path) -> None:
    ruled = network(tmp_path).design.routes.tolist()
    assert ruled == network(tmp_path, RULE, TABLE).design.routes.tolist()
    assert ruled == [[0, 1, 2, 2], [0, 1, 2, 2], [2, 2, 0, 1], [2, 2, 0, 1]]


def test_agents_of_cocotbext_axi_know_no_routes(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="AGENT=AXI: knows no channels, head marks, types, routes"):
        network(tmp_path, AGENT="AXI")


@pytest.mark.usefixtures("icarus")
def test_the_sender_alone_knows_the_first_switch(tb_cli: Cli, tmp_path: Path) -> None:
    """With the right routes all arrive; where leaf 0 and 1 are exchanged in them, all that stay."""
    network(tmp_path)
    words = "sim", f"DESIGN={tmp_path}/mine.toml", "SIM=icarus", "TEST=each_pair"
    assert "16         16     0       0" in tb_cli(*words, "TEST=each_pair,bursts").stdout
    network(tmp_path, RULE, TABLE.replace("[0, 1, 2, 2], [0, 1", "[1, 0, 2, 2], [1, 0"))
    told = tb_cli(*words).stdout
    assert "  misdelivered: 4\n" in told, told
    assert "(all; no sound ones)" in told, told
