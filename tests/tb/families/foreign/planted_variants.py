"""Faults of links that few speak, of SystemVerilog, and those that another agent finds."""

from collections.abc import Iterable
from dataclasses import replace

from fattree_bench.bench import faults as kind
from tests.tb.families.foreign.plant import Planted, breaks, planted

AGAIN = (  # onoff, mode = "resend"
    planted(
        "again",
        "a word that met stop is gone",
        "pauses",
        kind.LOST,
        "if (!hold_i[o]) valid_o[o] <= 1'b0;",
        "valid_o[o] <= 1'b0;",
    ),
    planted(
        "again",
        "a word is taken, and stopped",
        "each_pair",
        kind.DUPLICATED,
        "(taken == {N{1'b0}});",
        "((taken == {N{1'b0}}) | ~valid_o[g]);",
    ),
    planted(
        "again",
        "the lowest input is served first",
        "all_to_one",
        kind.UNFAIR,
        "(i == N - 1) ? {D{1'b0}} : i[D-1:0] + 1'b1;",
        "{D{1'b0}};",
    ),
)
COUNTED = (  # credits as numbers, channels one-hot, SystemVerilog, a list of files, an .svh
    breaks(
        "counted",
        "a word is in both channels",
        "each_pair",
        "a word is in several virtual channels",
        (".sv", "(q % 2 == 0) ? 2'b01 : 2'b10;", "(q == 0) ? 2'b11 : (2'b01 << (q % 2));"),
    ),
    breaks(
        "counted",
        "credits come back in twos",
        "uniform",
        "more credits came back than went",
        (".sv", "<= back[1:0];", "<= back[1:0] | 2'd2;"),
    ),
    breaks(
        "counted",
        "a credit counts twice",
        "stalls",
        "a word came without a credit",
        (".sv", "? 3'(credit_i[(i/2)*2 +: 2])", "? 3'(credit_i[(i/2)*2 +: 2]) + 3'd1"),
    ),
    Planted(
        "counted: a place is never read",
        "counted",
        "uniform",
        (kind.DUPLICATED,),
        ((".svh", "return place + 2'd1;", "return (place == 2'd2) ? 2'd0 : place + 2'd1;"),),
    ),
)
GIVEN = "given = ({30'd0, credit_vc_i[i*V +: V]} == (v + 1) % VCS)"
NUMBERED = (  # credits as numbers, of channels by number
    breaks(
        "numbered",
        "it gives credits of the next channel",
        "uniform",
        "more credits came back than went",
        (".v", "credit_vc_o[i*V +: V] <= v[V-1:0];", "credit_vc_o[i*V +: V] <= (v + 1) % VCS;"),
    ),
    breaks(
        "numbered",
        "it counts credits of the next channel",
        "pauses",
        "a word came without a credit",
        (".v", "given = (credit_vc_i[i*V +: V] == v[V-1:0])", GIVEN),
    ),
    planted(
        "numbered",
        "a credit is of a channel that is not there",
        "each_pair",
        kind.CREDITS,
        "credit_vc_o[i*V +: V] <= v[V-1:0];",
        "credit_vc_o[i*V +: V] <= (back == 3'd1) ? {V{1'b1}} : v[V-1:0];",
    ),
)
SAYS = '  always @(posedge clk) if (m_axis_tvalid[2]) $display("ERROR: output 2 is used");'
LINES = (  # design.errors
    Planted(
        "crossbar: it says so itself",
        "crossbar",
        "each_pair",
        (),
        ((".v", "  assign free =", f"{SAYS}\n  assign free ="),),
        line="ERROR: output 2 is used",
    ),
)


def by_axi(faults: Iterable[Planted]) -> tuple[Planted, ...]:
    """The same, found by agents in Python; and three of them at once."""
    alone = [replace(one, name=one.name.replace(":", " by AXI:", 1), agent="AXI") for one in faults]
    names = ("a bit of input 2 is stuck", "tid is lost", "input 1 has no last word")
    three = [next(one for one in alone if one.name.endswith(name)) for name in names]
    return (
        *alone,
        replace(
            three[2],
            name="crossbar by AXI: three faults at once",
            says=tuple(name for one in three for name in one.says),
            edits=tuple(edit for one in three for edit in one.edits),
        ),
    )
