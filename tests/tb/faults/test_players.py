"""A player that does not play what was asked for is blamed itself, and the network is not."""

import io
import re
from pathlib import Path

import pytest

from fattree_bench import simulated
from fattree_bench.bench import faults as kind
from fattree_bench.bench.rtl import Rtl
from fattree_bench.paths import PACKAGE
from fattree_bench.terminal import Terminal
from tests.tb.faults.test_faulty_designs import counts

SLOT = "NETWORK=lbbvn N=4 TEST=frame", "slot_player.v"
SERIAL = "NETWORK=leiserson N=4 TEST=online", "serial_player.v"
FLIT = "NETWORK=kary K=2 LEVELS=2 TEST=uniform", "flit_source.v"
# What is broken: the run, the file, a text in it and another; what is said of it.
PLANTED = {
    "slots: a lost word": (
        *SLOT,
        "stim_valid[index] & {N{play}}",
        "stim_valid[index] & {N{play}} & ~{{(N-1){1'b0}}, index == 3}",
        "slot 3, leaf 0: valid 0x0 instead of 0x1",
    ),
    "slots: a wrong destination": (
        *SLOT,
        "dst_row[x*DST_STRIDE +: DST_W]",
        "dst_row[x*DST_STRIDE +: DST_W] ^ {{(DST_W-1){1'b0}}, index == 2 && x == 1}",
        "slot 2, leaf 1: destination",
    ),
    "slots: a slot twice": (
        *SLOT,
        "index <= index + 1'b1",
        "index <= index + (index != 2 || stim_rst[0][7]); stim_rst[0][7] <= index == 2",
        r"slot 3, leaf 0: ",
    ),
    "slots: a slot too few": (*SLOT, "+ 1 == cycles", "+ 2 == cycles", r"\d+ slots instead of \d+"),
    "slots: a reset is left out": (
        "NETWORK=lbbvn N=4 TEST=reset_in_frame",
        SLOT[1],
        "play & stim_rst[index][0]",
        "play & stim_rst[index][0] & (cycles == 2)",
        r"slot \d+: reset 0x0 instead of 0x1",
    ),
    "slots of two clocks: a lost word": (
        "NETWORK=lbbvn_switch N=4 TEST=uniform",
        SLOT[1],
        "stim_valid[index] & {N{play}}",
        "stim_valid[index] & {N{play}} & ~{{(N-1){1'b0}}, index == 3}",
        r"slot \d+, leaf 0: valid 0x0 instead of 0x1",
    ),
    "messages: a lost one": (
        *SERIAL,
        "more & stim_valid[row[INDEX_W-1:0]][g]",
        "more & stim_valid[row[INDEX_W-1:0]][g] & ~(g == 1 && row == 1)",
        r"cycle \d+, wire 1: no message instead of one",
    ),
    "messages: a wrong bit": (
        *SERIAL,
        "& {FRAME_W{more}}",
        "& {FRAME_W{more}} ^ (more & (g == 2))",
        r"cycle \d+, wire 2: another message",
    ),
    "messages: a wrong setting": (
        "NETWORK=leiserson N=4 NODES=OFFLINE TEST=one_cycle",
        SERIAL[1],
        "{SETTING_W{gen_offer[0].more}}",
        "{SETTING_W{gen_offer[0].more}} ^ (gen_offer[0].row == 3)",
        r"cycle \d+, wire 0: other settings",
    ),
    "messages: one twice": (
        *SERIAL,
        "? row + 1'b1 : row",
        "? row + (g != 0 || row != 1) : row",
        r"cycle \d+, wire 0: another ",
    ),
    "messages: a late reset": (
        "NETWORK=leiserson N=4 TEST=reset",
        SERIAL[1],
        "clocks + 32'd1 - reset_at_q",
        "clocks - reset_at_q",
        r"clock \d+: a reset, or none",
    ),
    "flits: a lost one": (
        *FLIT,
        "(run_i && !rst) ? vcs : {VCS{1'b0}};",
        "(run_i && !rst && !(begins && count_q == 3)) ? vcs : {VCS{1'b0}};",
        r"clock \d+: the link from leaf \d: expected flit 0 of packet 3 .*, seen nothing",
    ),
    "flits: a wrong destination": (
        *FLIT,
        ": offer_i[16 +: ADDR_W];",
        ": offer_i[16 +: ADDR_W] ^ {{(ADDR_W-1){1'b0}}, count == 2};",
        r"clock \d+: the link from leaf \d: expected flit 0 of packet 2 ",
    ),
    "flits: one twice": (
        *FLIT,
        "index_q[k] <= index + 8'd1;",
        "index_q[k] <= index + {7'd0, index != 8'd1 || self_i != 0};",
        r"clock \d+: the link from leaf 0: expected flit 2 of",
    ),
    "flits: a clock late": (
        *FLIT,
        "(offer_i[15:0] <= now_i)",
        "(offer_i[15:0] < now_i)",
        r"clock \d+: the link from leaf \d: expected flit 0 of packet \d+ .*, seen ",
    ),
    "flits: a credit lost": (
        FLIT[0],
        "flit_sink.v",
        "credit[v] = 1'b1;",
        "credit[v] = ~flit_i[TAIL];",
        r"clock \d+: level \d switch \d output \d: expected a credit .*, seen no credit",
    ),
}


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("name", PLANTED)
def test_it_is_the_player(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, file, old, new, said = PLANTED[name]
    text = next(PACKAGE.rglob(file)).read_text()
    assert text.count(old) == 1, "the edit is out of date"
    (tmp_path / file).write_text(text.replace(old, new))
    sound = Rtl.sources
    monkeypatch.setattr(
        Rtl,
        "sources",
        lambda rtl, folder: [tmp_path / file if x.name == file else x for x in sound(rtl, folder)],
    )
    shown = io.StringIO()
    status = simulated.run(Terminal(file=shown, width=1000), [*run.split(), "SIM=icarus"])
    output = shown.getvalue()
    line = " ".join(output.split())
    assert status == 1, output
    assert counts(output) == {kind.PLAYER: 1}, output
    assert re.search(f"the player did not play what was asked: {said}", line), output
