"""Players of the flit link where no model says what is on the links: theirs is replayed."""

from pathlib import Path

import pytest

from tests.cli import Cli
from tests.tb.faults import test_players

SPIN = "NETWORK=spin TEST=short_packets"
LEAVES = "NETWORK=kary K=2 LEVELS=2 ASYNC=LEAVES TEST=uniform"
LINKS = "NETWORK=kary K=2 LEVELS=2 CLASSES=2 ASYNC=LINKS TEST=request_reply"
SOURCE, SINK = "flit_source.v", "flit_sink.v"
PLANTED = {
    "spin: a clock late": (
        *(SPIN, SOURCE, "(offer_i[15:0] <= now_i)", "(offer_i[15:0] < now_i)"),
        r"clock \d+: leaf \d sent nothing instead of flit 0 of packet \d+",
    ),
    "spin: a credit lost": (
        *(SPIN, SINK, "credit[v] = 1'b1;", "credit[v] = ~flit_i[TAIL];"),
        r"clock \d+: leaf \d gave no credit instead of a credit of VC 0",
    ),
    "several clocks: a flit twice": (
        *(LEAVES, SOURCE, "index_q[k] <= index + 8'd1;"),
        "index_q[k] <= index + {7'd0, index != 8'd1 || self_i != 0};",
        r"clock \d+: leaf 0 sent a flit 0x\w+ with marks 0 in VC \d instead of flit 2 of packet",
    ),
    "several clocks: a credit lost": (
        *(LEAVES, SINK, "credit[v] = 1'b1;", "credit[v] = ~flit_i[TAIL];"),
        r"clock \d+: leaf \d gave no credit instead of a credit of VC \d",
    ),
    "several clocks: a reply to the wrong leaf": (
        *(LINKS, SINK, "flit_i[HEAD] ? {flit_i[ADDR_W +: NODE_W], number}"),
        "flit_i[HEAD] ? {flit_i[ADDR_W +: NODE_W] ^ {{(NODE_W-1){1'b0}}, 1'b1}, number}",
        r"clock \d+: leaf \d sent a flit 0x\w+ with marks \d in VC \d instead of flit 0 of packet",
    ),
}


def blame(case: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a fault in a player; it must be the player's."""
    monkeypatch.setattr(test_players, "PLANTED", {"this": case})
    test_players.test_it_is_the_player("this", folder, monkeypatch)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    "name",
    [pytest.param(x, marks=pytest.mark.nightly if "clock late" in x else ()) for x in PLANTED],
)
def test_it_is_the_player(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blame(PLANTED[name], tmp_path, monkeypatch)


@pytest.mark.usefixtures("icarus")
def test_what_a_player_makes_of_an_x_is_the_networks(rtl_copy: Path, tb_cli: Cli) -> None:
    """A crossing shows words that have not come; recorder and player go wrong then."""
    file = rtl_copy / "common" / "gray_follower.v"
    old, text = "behind_o = (seen != code_o)", file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, f"{old} | (code_o == 1)"))
    words = LEAVES.replace("uniform", "single_packets").split()
    done = tb_cli("sim", *words, "SIM=icarus", f"RTL={rtl_copy}")
    assert done.returncode == 1 and "a flit came without a head" in done.stdout, done.stdout
    assert "player: " not in done.stdout
