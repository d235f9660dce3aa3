"""Faults planted into designs as others write them: what is edited, what must be said of it."""

from fattree_bench.bench import faults as kind
from tests.tb.families.foreign.plant import Planted, breaks, planted, told
from tests.tb.families.foreign.planted_variants import AGAIN, COUNTED, LINES, NUMBERED, by_axi

DATA = "<= s_axis_tdata[i*WIDTH +: WIDTH];"
RESET_VALID = "m_axis_tvalid[g] <= 1'b0;"
CROSSBAR = (
    planted(
        "crossbar",
        "a bit of input 2 is stuck",
        "each_pair",
        kind.CORRUPTED,
        DATA,
        "<= s_axis_tdata[i*WIDTH +: WIDTH] & ~(i == 2 ? 32'h00000100 : 32'd0);",
    ),
    planted(
        "crossbar",
        "input 1 goes astray",
        "each_pair",
        kind.MISDELIVERED,
        "== SELF[DEST_W-1:0]",
        "== ((h == 1 && SELF < 2) ? SELF[DEST_W-1:0] ^ 2'd1 : SELF[DEST_W-1:0])",
    ),
    planted(
        "crossbar",
        "the lowest input is served first",
        "all_to_one",
        kind.UNFAIR,
        "after_q <= ~((grant - 1'b1) | grant);",
        "after_q <= {INPUTS{1'b0}};",
    ),
    planted(
        "crossbar",
        "an output is never free again",
        "uniform",
        (kind.STUCK, kind.LOST),
        "assign free = ~m_axis_tvalid | m_axis_tready;",
        "assign free = (~m_axis_tvalid | m_axis_tready) & ~(m_axis_tdata[7:0] == 8'h55);",
    ),
    planted(
        "crossbar",
        "a last word is sent for ever",
        "each_pair",
        kind.DUPLICATED,
        "if (free[g]) m_axis_tvalid[g]",
        "if (free[g] && (moves != {INPUTS{1'b0}} || !m_axis_tlast[g])) m_axis_tvalid[g]",
    ),
    planted(
        "crossbar",
        "tid is lost",
        "each_pair",
        kind.SIDEBAND,
        "<= s_axis_tid[i*ID_W +: ID_W];",
        "<= {ID_W{1'b0}};",
    ),
    breaks(
        "crossbar",
        "a grant ends with each word",
        "uniform",
        "dest, id or user changed within a packet",
        (
            ".v",
            "held_q  <= ((moves & s_axis_tlast) != {INPUTS{1'b0}}) ? {INPUTS{1'b0}} : grant;",
            "held_q  <= {INPUTS{1'b0}};",
        ),
    ),
    breaks(
        "crossbar",
        "a packet for another",
        "each_pair",
        "dest names another leaf",
        (
            ".v",
            "== SELF[DEST_W-1:0]",
            "== ((h == 1 && SELF < 2) ? SELF[DEST_W-1:0] ^ 2'd1 : SELF[DEST_W-1:0])",
        ),
    ),
    breaks(
        "crossbar",
        "nobody waits for ready",
        "pauses",
        "valid fell before ready",
        (".v", "if (free[g]) m_axis_tvalid[g]", "m_axis_tvalid[g]"),
    ),
    breaks(
        "crossbar",
        "a word is written over",
        "pauses",
        "a field changed before ready",
        (".v", "assign free = ~m_axis_tvalid | m_axis_tready;", "assign free = {OUTPUTS{1'b1}};"),
    ),
    breaks(
        "crossbar",
        "words in reset",
        "each_pair",
        "valid is high in reset",
        (".v", RESET_VALID, "m_axis_tvalid[g] <= 1'b1;"),
    ),
    breaks(
        "crossbar",
        "valid has no reset",
        "each_pair",
        "valid is X or Z",
        (".v", RESET_VALID, "m_axis_tvalid[g] <= 1'bx;"),
    ),
    breaks(
        "crossbar",
        "ready is unknown",
        "each_pair",
        "ready is X or Z",
        (".v", "= (takes != {OUTPUTS{1'b0}});", "= (takes != {OUTPUTS{1'b0}}) ? 1'bx : 1'b0;"),
    ),
    breaks(
        "crossbar",
        "a byte is unknown",
        "each_pair",
        "X or Z beside valid",
        (".v", DATA, "<= s_axis_tdata[i*WIDTH +: WIDTH] | {{(WIDTH-8){1'b0}}, {8{1'bx}}};"),
    ),
    breaks(
        "crossbar",
        "input 1 has no last word",
        "each_pair",
        "a packet has more words than any that is sent: a last was lost",
        (".v", "<= s_axis_tlast[i];", "<= s_axis_tlast[i] & (i != 1);"),
    ),
    breaks(
        "crossbar",
        "a bit beyond the tag is stuck",
        "each_pair",
        "bits of a word differ from their copies in it",
        (".toml", "width = 32", "width = 80"),
        (".v", DATA, "<= s_axis_tdata[i*WIDTH +: WIDTH] & {8'h7f, {(WIDTH-8){1'b1}}};"),
    ),
    breaks(
        "crossbar",
        "a byte does not count",
        "each_pair",
        "a word is not full: keep is not all ones",
        (".toml", 'last = "m_axis_tlast"', 'last = "m_axis_tlast"\nkeep = "m_axis_tkeep"'),
        (
            ".v",
            "output reg  [OUTPUTS-1:0]        m_axis_tlast",
            "output wire [OUTPUTS*4-1:0] m_axis_tkeep,\n  output reg [OUTPUTS-1:0] m_axis_tlast",
        ),
        (".v", "  assign free =", "  assign m_axis_tkeep = {OUTPUTS{4'h7}};\n  assign free ="),
    ),
    told(
        "crossbar", "it is faster than is said", "each_pair", kind.EARLY, "least = 1", "least = 2"
    ),
    told("crossbar", "it is slower than is said", "each_pair", kind.LATE, "most = 1", "most = 0"),
    told("crossbar", "it accepts too little", "accepted", kind.ACCEPTED, "0.4", "0.95"),
)
RING = (
    planted(
        "ring",
        "a leaf is stopped too late",
        "uniform",
        kind.LOST,
        "(count_q + 4 > FULL[P:0])",
        "(count_q > FULL[P:0])",
    ),
    planted(
        "ring",
        "words for node 3 go round for ever",
        "each_pair",
        kind.STUCK,
        "(comes[W +: D] == SELF[D-1:0]);",
        "(comes[W +: D] == SELF[D-1:0]) & (SELF != 3);",
    ),
    planted(
        "ring",
        "node 2 takes what is for node 3",
        "each_pair",
        kind.MISDELIVERED,
        "(comes[W +: D] == SELF[D-1:0]);",
        "((comes[W +: D] | (SELF == 2)) == (SELF | (SELF == 2)));",
    ),
    planted(
        "ring",
        "a reset leaves the ring as it is",
        "reset",
        kind.SPURIOUS,
        "slot_q      <= {(W+D+1){1'b0}};",
        "slot_q      <= (slot_q[W+D] === 1'b1) ? slot_q : 0;",
    ),
    breaks(
        "ring",
        "nobody heeds stop",
        "stalls",
        "a word came although it was stopped",
        (".v", "& ~hold_q;", "& (~hold_q | 1'b1);"),
    ),
    breaks(
        "ring",
        "words come without end",
        "stalls",
        "a word came without room for it",
        (".v", "& ~hold_q;", "& (~hold_q | 1'b1);"),
    ),
    breaks(
        "ring",
        "stop is unknown",
        "each_pair",
        "stop is X or Z",
        (".v", "assign busy_o[g] = (count", "assign busy_o[g] = word[W+D] ? 1'bx : (count"),
    ),
)
CREDITS = (
    Planted(
        "credits: the first credit of a queue is lost",
        "credits",
        "each_pair",
        (kind.CREDITS,),
        (
            (".v", "reg [PORTS-1:0]    turn_q;", "reg lost_q;\n  reg [PORTS-1:0] turn_q;"),
            (
                ".v",
                "credit_o <= gone;\n    for",
                "credit_o <= gone & ~{7'd0, gone[0] & (lost_q !== 1'b1)};\n"
                "    lost_q <= (lost_q === 1'b1) | gone[0];\n    for",
            ),
        ),
    ),
    planted(
        "credits",
        "packets mix in a virtual channel",
        "uniform",
        kind.INTERLEAVED,
        "(held_q[h] ? {28'd0, holder_q[h*4 +: 4]} == j : 1'b1)",
        "1'b1",
    ),
    planted(
        "credits",
        "words of a queue change places",
        "uniform",
        kind.CORRUPTED,
        "queue[o*4 + {30'd0, end_q[o*2 +: 2]}] <=",
        "queue[o*4 + {30'd0, end_q[o*2 +: 2] ^ {1'b0, o == 3 && count_q[o*3 +: 3] > 3'd2}}] <=",
    ),
    breaks(
        "credits",
        "words go without credit",
        "stalls",
        "a word came without a credit",
        (".v", "&& left_q[h*3 +: 3] != 3'd0", "&& 1'b1"),
    ),
    breaks(
        "credits",
        "a credit comes back twice",
        "uniform",
        "more credits came back than went",
        (".v", "credit_o <= gone;\n    for", "credit_o <= gone | {7'd0, gone[1]};\n    for"),
    ),
    breaks(
        "credits",
        "credits are unknown",
        "each_pair",
        "a credit is X or Z",
        (".v", "credit_o <= gone;\n    for", "credit_o <= gone ? {QUEUES{1'bx}} : gone;\n    for"),
    ),
    breaks(
        "credits",
        "a word is in both channels",
        "each_pair",
        "a word is in several virtual channels",
        (".v", "valid_o[h] <= 1'b1;", "valid_o[o*VCS +: VCS] <= {VCS{1'b1}};"),
    ),
    breaks(
        "credits",
        "every word is a head",
        "each_pair",
        "the head mark is wrong",
        (".v", "head_o[o]  <= ~held_q[h];", "head_o[o]  <= 1'b1;"),
    ),
)
LATER = """  reg [N-1:0]   valid_p;
  reg [N*D-1:0] dest_p;
  reg [N*W-1:0] data_p;
  always @(posedge clk) {valid_p, dest_p, data_p} <= {valid_i, dest_i, data_i};
  always @(posedge clk) begin : pass"""
SLOTS = (
    planted(
        "slots",
        "drops are not counted",
        "hot_spot",
        kind.COUNTERS,
        "lost = lost + 16'd1;",
        "lost = lost;",
    ),
    planted(
        "slots",
        "words that meet are mixed",
        "hot_spot",
        kind.CORRUPTED,
        "if (taken[o]) lost = lost + 16'd1;",
        "if (taken[o]) data_o[o*W +: W] <= data_q[i*W +: W] | data_q[0 +: W];",
    ),
    Planted(
        "slots: a word is a clock late",
        "slots",
        "each_pair",
        (kind.LATE,),
        (
            (".v", "  always @(posedge clk) begin : pass", LATER),
            (".v", "{N{1'b0}} : valid_i;", "{N{1'b0}} : valid_p;"),
            (".v", "dest_q  <= dest_i;", "dest_q  <= dest_p;"),
            (".v", "data_q  <= data_i;", "data_q  <= data_p;"),
        ),
    ),
)
CELLS = (
    planted(
        "cells",
        "a cell is granted to a full output",
        "pauses",
        kind.LOST,
        "(!full_q[o] || ready[o])",
        "1'b1",
    ),
    planted(
        "cells",
        "the lowest input is served first",
        "all_to_one",
        kind.UNFAIR,
        "next[o*2 +: 2]  = (k == 2) ? 2'd0 : k[1:0] + 2'd1;",
        "next[o*2 +: 2] = 2'd0;",
    ),
    planted(
        "cells",
        "a cell leaves twice",
        "pauses",
        kind.DUPLICATED,
        "full_q <= puts | (full_q & ~ready);",
        "full_q <= puts | (full_q & ~(ready & (ready - 3'd1)));",
    ),
    breaks(
        "cells",
        "grants are unknown",
        "each_pair",
        "grant is X or Z",
        (".v", "= grant & {3{phase_q}};", "= (grant & {3{phase_q}}) ? 3'bxxx : 3'd0;"),
    ),
)
PLANTED = (
    *(*CROSSBAR, *RING, *CREDITS, *SLOTS, *CELLS),
    *(*AGAIN, *COUNTED, *NUMBERED, *LINES, *by_axi(CROSSBAR)),
)
THREE = next(one for one in PLANTED if one.name.endswith("three faults at once"))
DAY = (  # of each link one, and the rule of AXI4-Stream that is broken most
    "crossbar: a bit of input 2 is stuck",
    "crossbar: nobody waits for ready",
    "ring: nobody heeds stop",
    "credits: every word is a head",
    "slots: drops are not counted",
    "cells: the lowest input is served first",
    "again: a word that met stop is gone",
    "counted: a word is in both channels",
    "numbered: it counts credits of the next channel",
    "crossbar: it says so itself",
    THREE.name,
)
