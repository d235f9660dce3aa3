"""Faulty schedules, fabrics and outputs of the load-balanced switch, and all its designs."""

from fattree_bench.bench import faults as kind
from tests.tb.families.lbbvn_switch.edits import (
    BASIC,
    CROSSBAR,
    EIGHT,
    FOFF,
    NO_LANE,
    PADDED,
    SHORT_FOFF,
    SHORT_UFS,
    UFS,
    card,
    egress,
    fabrics,
    inputs,
    middles,
    outputs,
    plain,
    schedule,
    switch,
)
from tests.tb.families.lbbvn_switch.frame_designs import FRAMES
from tests.tb.families.lbbvn_switch.mailbox_designs import MAILBOXES, OTHER_ORDER
from tests.tb.families.lbbvn_switch.queue_designs import MIDDLES, RESEQUENCERS
from tests.tb.families.lbbvn_switch.reset_designs import RESETS
from tests.tb.faults.faulty import Edit, Faulty, stopped, wide_counters

PLAIN = (
    Faulty(
        "phase 2 is phase 1 again where the inverse is due",
        f"{UFS} TEST=uniform",
        (kind.EARLY, kind.REORDERED),
        (schedule('(SAME ? "OUTPUT_OF_MIDDLE" : "MIDDLE_OF_OUTPUT")', '"OUTPUT_OF_MIDDLE"'),),
    ),
    Faulty(
        "a frame begins one slot late, and goes on into the next one",
        f"{UFS} TEST=single_cells",
        (kind.LATE,),
        (
            inputs("m == {N_LOG{1'b0}};", "m == 1;"),
            inputs("(m == LAST)", "(m == 0)"),
            inputs("offset    = m;", "offset    = m - 1'b1;"),
        ),
    ),
    Faulty(
        "cells get into the VOQ of the neighbour",
        f"{UFS} TEST=single_cells",
        (kind.MISDELIVERED,),
        (inputs("at = arrive_i ? dst_i :", "at = arrive_i ? dst_i ^ 2'd1 :"),),
    ),
    Faulty(
        "FOFF: a FIFO of the resequencer loses its last place",
        f"{SHORT_FOFF} TEST=full_load",
        (kind.LOST, kind.COUNTERS),
        (outputs("FULL = DEPTH_INT[COUNT_W-1:0];", "FULL = DEPTH_INT[COUNT_W-1:0] - 1'b1;"),),
    ),
)

SCHEDULES = (
    Faulty(
        "the fabric takes phase 1 for phase 2 and phase 2 for phase 1",
        f"{BASIC} TEST=single_cells",
        (kind.MISDELIVERED,),
        (fabrics(".phase2_i(phase2)", ".phase2_i(~phase2)"),),
    ),
    Faulty(
        "the inputs are a slot ahead of the fabric",
        f"{UFS} TEST=single_cells",
        (kind.EARLY,),
        (card("input_slot  = slot_i - 1'b1;", "input_slot  = slot_i;"),),
    ),
    Faulty(
        "the fabric is a slot ahead in phase 1",
        f"{BASIC} TEST=single_cells",
        (kind.LATE,),
        (switch(".input_slot_i(input_slot)", ".input_slot_i(slot_q)"),),
    ),
    Faulty(
        "the middles are a slot behind the fabric",
        f"{BASIC} TEST=single_cells",
        (kind.MISDELIVERED,),
        (card("MAILBOX ? 1 : 2 + LATENCY / 2", "MAILBOX ? 1 : 3 + LATENCY / 2"),),
    ),
    Faulty(
        "the fabric is a slot ahead of the middles in phase 2",
        f"{BASIC} TEST=single_cells",
        (kind.MISDELIVERED,),
        (switch("MAILBOX ? 2 : 3 + LATENCY / 2", "MAILBOX ? 2 : 2 + LATENCY / 2"),),
    ),
    Faulty(
        "the resequencers are a slot behind the fabric",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.RESEQUENCER, kind.REORDERED),
        (card("MAILBOX ? 2 : 3 + LATENCY;", "MAILBOX ? 2 : 4 + LATENCY;"),),
    ),
    Faulty(
        "the slot counter counts every clock",
        f"{BASIC} TEST=single_cells",
        (kind.LOST,),
        (switch("if (second_q) slot_q <=", "slot_q <="),),
    ),
    stopped(
        "a payload is right only in the second clock of its slot",
        f"{BASIC} TEST=single_cells",
        "what leaves does not stand for both clocks of its slot",
        egress(
            "data_o  <= held_data_q;\n      end\n",
            "data_o  <= ~held_data_q;\n      end else data_o <= ~data_o;\n",
        ),
    ),
    stopped(
        "bit reversal that does not reverse, on a fat-tree",
        f"{BASIC} TEST=single_cells",
        NO_LANE,
        schedule("[N_LOG-1-b]", "[b]", times=2),
    ),
    Faulty(
        "bit reversal that does not reverse, on a crossbar",
        f"{BASIC} FABRIC=CROSSBAR TEST=single_cells",
        (kind.LATE,),
        (schedule("[N_LOG-1-b]", "[b]", times=2),),
    ),
    Faulty(
        "TDM where ROTATOR is due",
        f"{CROSSBAR} TEST=single_cells",
        (kind.LATE,),
        (schedule('else if (SCHEDULE == "TDM")', "else if (!MIRROR)"),),
    ),
)

FABRICS = (
    stopped(
        "a lane too few",
        f"{EIGHT} TEST=single_cells",
        NO_LANE,
        Edit(
            "lbbvn/lbbvn_sizes.vh", "- (1 << (N_LOG - 2 * j));\n", "- (1 << (N_LOG - 2 * j)) - 1;\n"
        ),
    ),
    Faulty(
        "a lane too few, and nobody counts",
        f"{EIGHT} TEST=single_cells",
        (kind.LOST,),
        (
            Edit(
                "lbbvn_switch/lbbvn_fabric.v",
                "assign conflicts_o = sum;",
                "assign conflicts_o = 0;",
            ),
            Edit(
                "lbbvn/lbbvn_sizes.vh",
                "- (1 << (N_LOG - 2 * j));\n",
                "- (1 << (N_LOG - 2 * j)) - 1;\n",
            ),
        ),
    ),
    Faulty(
        "lane 0 of every crossbar is stuck at input 0",
        f"{CROSSBAR} TEST=single_cells",
        (kind.LOST, kind.MISDELIVERED),
        (Edit("common/crossbar.v", "if (enable_i", "if (l == 0) i = 0;\n        if (enable_i"),),
    ),
)

UNFOLDED = (
    Faulty(
        "FOLDED=0: the second fabric balances, too",
        f"{BASIC} FOLDED=0 TEST=single_cells",
        (kind.MISDELIVERED,),
        (fabrics(".phase2_i(phase2)", ".phase2_i(1'b0)"),),
    ),
    Faulty(
        "FOLDED=0: the second fabric is a slot ahead",
        f"{BASIC} FOLDED=0 TEST=single_cells",
        (kind.MISDELIVERED,),
        (fabrics("phase2 ? phase2_slot_i :", "phase2 ? phase2_slot_i + 1'b1 :"),),
    ),
    Faulty(
        "FOLDED=0: line cards hear the fabrics the wrong way round",
        f"{FOFF} FOLDED=0 TEST=single_cells",
        (kind.LOST,),
        (fabrics("(LATENCY % 2 == 0)", "(LATENCY % 2 != 0)"),),
    ),
    Faulty(
        "FOLDED=0: each fabric carries what the other should",
        f"{FOFF} FOLDED=0 TEST=single_cells",
        (kind.LOST,),
        (fabrics("(phase2 ^ second_i);", "(phase2 ~^ second_i);"),),
    ),
)

OUTPUTS = (
    Faulty(
        "PADDED: fakes are counted one a slot",
        f"{PADDED} TEST=uniform",
        (kind.COUNTERS,),
        (switch(".terms_i(padded)", ".terms_i({{(N-1){1'b0}}, padded != 0})"),),
    ),
    Faulty(
        "PADDED: fakes come out",
        f"{PADDED} TEST=single_cells",
        (kind.DUPLICATED,),  # the payload of a fake is what the memory had last
        (card("out_any & ~out_fake;", "out_any;"),),
    ),
    Faulty(
        "idle outputs keep the last payload",
        f"{BASIC} TEST=single_cells",
        (kind.IDLE_NOT_ZERO,),
        (egress("data_o  <= held_data_q;", "if (held_q) data_o  <= held_data_q;"),),
    ),
    Faulty(
        "FOFF: idle outputs keep the last payload",
        f"{FOFF} TEST=single_cells",
        (kind.IDLE_NOT_ZERO,),
        (
            outputs(
                "assign data_o = payload & {W{valid_o}};",
                "reg some_time_q = 0;\n  always @(posedge clk) if (valid_o) some_time_q <= 1;\n"
                "  assign data_o = payload & {W{valid_o | some_time_q}};",
            ),
        ),
    ),
    Faulty(
        "cells come out a slot late",
        f"{BASIC} TEST=single_cells",
        (kind.LATE,),
        (
            egress("reg         held_q;", "reg held_q, more_q;\n  reg [W-1:0] more_data_q;"),
            egress(
                "valid_o <= held_q;\n        data_o  <= held_data_q;",
                "more_q <= held_q; valid_o <= more_q;\n"
                "        more_data_q <= held_data_q; data_o <= more_data_q;",
            ),
            egress("held_q      <= 1'b0;", "held_q <= 0; more_q <= 0; more_data_q <= 0;"),
        ),
    ),
    Faulty(
        "a cell comes out twice if nothing follows it",
        f"{BASIC} TEST=single_cells",
        (kind.DUPLICATED,),
        (
            egress(
                "valid_o <= held_q;",
                "valid_o <= held_q | (valid_o & ~twice_q); twice_q <= ~held_q & valid_o;",
            ),
            egress(
                "data_o  <= held_data_q;",
                "data_o <= (~held_q & valid_o & ~twice_q) ? data_o : held_data_q;",
            ),
            egress("reg         held_q;", "reg held_q, twice_q;"),
            egress("valid_o     <= 1'b0;", "valid_o <= 0; twice_q <= 0;"),
        ),
    ),
    Faulty(
        "a cell of zeros is taken for an idle input",
        f"{BASIC} TEST=payloads",
        (kind.LOST,),
        (plain("cell_o <= valid_i;", "cell_o <= valid_i & (data_i != 0);"),),
    ),
    Faulty(
        "FOFF: a cell of ones is taken for an idle input",
        f"{FOFF} TEST=payloads",
        (kind.LOST,),
        (inputs("= arrive_i & valid_i;", "= arrive_i & valid_i & ~(&data_i);"),),
    ),
    Faulty(
        "an output is not clocked when its word stays as it was",
        f"{BASIC} TEST=payloads",
        (kind.LOST, kind.SPURIOUS),
        (egress("if (take_i) begin", "if (take_i && data_i != held_data_q) begin"),),
    ),
    Faulty(
        "bit 3 of the payload is lost on the way out",
        f"{BASIC} TEST=single_cells",
        (kind.CORRUPTED,),
        (card("out_payload & {W{out_cell}}", "out_payload & {W{out_cell}} & ~8"),),
    ),
    Faulty(
        "every other slot is not read",
        f"{BASIC} TEST=single_cells",
        (kind.LOST,),
        (card("out_any & ~out_fake;", "out_any & ~out_fake & slot_i[0];"),),
    ),
    Faulty(
        "an output shows what was never written",
        f"{BASIC} TEST=single_cells",
        (kind.UNKNOWN,),
        (
            middles(
                ".read_i(leaves), .read_at_i({fifo, head})",
                ".read_i(give_i), .read_at_i(leaves ? {fifo, head} : {(N_LOG+A){1'b1}})",
            ),
            card(" & {W{out_cell}};", ";"),
        ),
    ),
    Faulty(
        "the flag of an overflow goes up at the neighbour",
        f"{SHORT_UFS} TEST=full_load",
        (kind.COUNTERS,),
        (
            switch(
                "dropped_middle, dropped_ingress};",
                "dropped_middle, dropped_ingress[0], dropped_ingress[N-1:1]};",
            ),
        ),
    ),
    Faulty(
        "the flag of an overflow goes down again",
        f"{SHORT_UFS} TEST=overload",
        (kind.COUNTERS,),
        (switch(": overflow_q | {", ": {"),),
    ),
)

WIDE = wide_counters("lbbvn_switch", f"{SHORT_UFS} TEST=overload", kind.COUNTERS, kind.COUNTERS)

# The first of each name is caught in every run of the tests.
DESIGNS = (
    *PLAIN,
    *SCHEDULES,
    *RESEQUENCERS,
    *OUTPUTS,
    *FRAMES,
    *MIDDLES,
    *MAILBOXES,
    *FABRICS,
    *UNFOLDED,
    *RESETS,
    *WIDE,
)
ON_VERILATOR = (PLAIN[2], OTHER_ORDER, *WIDE)
