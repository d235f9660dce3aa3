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
    inputs,
    middles,
    outputs,
    schedule,
    switch,
)
from tests.tb.families.lbbvn_switch.frame_designs import FRAMES
from tests.tb.families.lbbvn_switch.mailbox_designs import MAILBOXES
from tests.tb.families.lbbvn_switch.queue_designs import MIDDLES, RESEQUENCERS
from tests.tb.families.lbbvn_switch.reset_designs import RESETS
from tests.tb.faults.faulty import Edit, Faulty, stopped

PLAIN = (
    Faulty(
        "phase 2 is phase 1 again where the inverse is due",
        f"{UFS} TEST=uniform",
        (kind.EARLY, kind.REORDERED),
        (
            schedule(
                '(SCHEDULE == "SAME") ? middle_of_input(m, t) : input_of_middle(m, t)',
                "middle_of_input(m, t)",
            ),
            schedule(
                '(SCHEDULE == "SAME") ? input_of_middle(y, t) : middle_of_input(y, t)',
                "input_of_middle(y, t)",
            ),
        ),
    ),
    Faulty(
        "a frame begins one slot late, and goes on into the next one",
        f"{UFS} TEST=single_cells",
        (kind.LATE,),
        (
            inputs("if (m == {N_LOG{1'b0}}) begin", "if (m == 1) begin"),
            inputs("busy && m == LAST", "busy && m == 0"),
            inputs("m - next_q[v] : m;", "m - next_q[v] : m - 1'b1;"),
        ),
    ),
    Faulty(
        "cells get into the VOQ of the neighbour",
        f"{UFS} TEST=single_cells",
        (kind.MISDELIVERED,),
        (
            inputs(
                "{input_number, dst_i[x*N_LOG +: N_LOG]}",
                "{input_number, dst_i[x*N_LOG +: N_LOG] ^ 2'd1}",
            ),
        ),
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
        (switch(".phase2_i   (first)", ".phase2_i   (second_q)"),),
    ),
    Faulty(
        "the inputs are a slot ahead of the fabric",
        f"{UFS} TEST=single_cells",
        (kind.EARLY,),
        (switch(".slot_i       (input_slot)", ".slot_i       (slot_q)"),),
    ),
    Faulty(
        "the fabric is a slot ahead in phase 1",
        f"{BASIC} TEST=single_cells",
        (kind.LATE,),
        (switch("second_q ? input_slot : phase2_slot", "second_q ? slot_q : phase2_slot"),),
    ),
    Faulty(
        "the middles are a slot behind the fabric",
        f"{BASIC} TEST=single_cells",
        (kind.MISDELIVERED,),
        (switch("MAILBOX ? 1 : 2 + LATENCY / 2", "MAILBOX ? 1 : 3 + LATENCY / 2"),),
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
        (switch("MAILBOX ? 2 : 3 + LATENCY;", "MAILBOX ? 2 : 4 + LATENCY;"),),
    ),
    Faulty(
        "the slot counter counts every clock",
        f"{BASIC} TEST=single_cells",
        (kind.LOST,),
        (switch("if (second_q) slot_q <=", "slot_q <="),),
    ),
    stopped(
        "bit reversal that does not reverse, on a fat-tree",
        f"{BASIC} TEST=single_cells",
        NO_LANE,
        schedule("number[N_LOG-1-bit_index]", "number[bit_index]"),
    ),
    Faulty(
        "bit reversal that does not reverse, on a crossbar",
        f"{BASIC} FABRIC=CROSSBAR TEST=single_cells",
        (kind.LATE,),
        (schedule("number[N_LOG-1-bit_index]", "number[bit_index]"),),
    ),
    Faulty(
        "TDM where ROTATOR is due",
        f"{CROSSBAR} TEST=single_cells",
        (kind.LATE,),
        (
            schedule("middle_of_input = leaf + t;", "middle_of_input = t - leaf;"),
            schedule("input_of_middle = m - t;", "input_of_middle = t - m;"),
        ),
    ),
)

FABRICS = (
    stopped(
        "a lane too few",
        f"{EIGHT} TEST=single_cells",
        NO_LANE,
        Edit(
            "lbbvn/lbbvn_tree.v", "- (1 << (N_LOG - 2 * j));\n", "- (1 << (N_LOG - 2 * j)) - 1;\n"
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
                "lbbvn/lbbvn_tree.v",
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

OUTPUTS = (
    Faulty(
        "PADDED: fakes are counted one a slot",
        f"{PADDED} TEST=uniform",
        (kind.COUNTERS,),
        (switch("padded_o + ones(in_fake);", "padded_o + (in_fake != 0);"),),
    ),
    Faulty(
        "PADDED: fakes come out",
        f"{PADDED} TEST=single_cells",
        (kind.SPURIOUS,),
        (switch("out[CELL] & ~out[FAKE];", "out[CELL];"),),
    ),
    Faulty(
        "idle outputs keep the last payload",
        f"{BASIC} TEST=single_cells",
        (kind.IDLE_NOT_ZERO,),
        (switch("data_q  <= held_data_q;", "if (held_q != 0) data_q  <= held_data_q;"),),
    ),
    Faulty(
        "FOFF: idle outputs keep the last payload",
        f"{FOFF} TEST=single_cells",
        (kind.IDLE_NOT_ZERO,),
        (outputs("data_o  <= {(N*W){1'b0}};\n      for (y", "for (y"),),
    ),
    Faulty(
        "cells come out a slot late",
        f"{BASIC} TEST=single_cells",
        (kind.LATE,),
        (
            switch(
                "reg [N-1:0]   held_q, valid_q;\n      reg [N*W-1:0] held_data_q, data_q;",
                "reg [N-1:0]   held_q, more_q, valid_q;\n"
                "      reg [N*W-1:0] held_data_q, more_data_q, data_q;",
            ),
            switch(
                "valid_q <= held_q;\n          data_q  <= held_data_q;",
                "more_q <= held_q; valid_q <= more_q;\n"
                "          more_data_q <= held_data_q; data_q <= more_data_q;",
            ),
            switch("held_q      <= {N{1'b0}};", "held_q <= 0; more_q <= 0; more_data_q <= 0;"),
        ),
    ),
    Faulty(
        "a cell comes out twice if nothing follows it",
        f"{BASIC} TEST=single_cells",
        (kind.DUPLICATED,),
        (
            switch(
                "valid_q <= held_q;",
                "valid_q <= held_q | {N{held_q == 0}} & valid_q & ~twice_q;\n"
                "          twice_q <= {N{held_q == 0}} & valid_q;",
            ),
            switch(
                "data_q  <= held_data_q;",
                "data_q <= (held_q == 0 && (valid_q & ~twice_q) != 0) ? data_q : held_data_q;",
            ),
            switch("reg [N-1:0]   held_q, valid_q;", "reg [N-1:0]   held_q, valid_q, twice_q;"),
            switch("valid_q     <= {N{1'b0}};", "valid_q <= 0; twice_q <= 0;"),
        ),
    ),
    Faulty(
        "bit 3 of the payload is lost on the way out",
        f"{BASIC} TEST=single_cells",
        (kind.CORRUPTED,),
        (switch("out[DATA +: W] & {W{out_cell[x]}}", "out[DATA +: W] & {W{out_cell[x]}} & ~8"),),
    ),
    Faulty(
        "every other slot is not read",
        f"{BASIC} TEST=single_cells",
        (kind.LOST,),
        (
            switch("held_q      <= out_cell;", "held_q <= out_cell & {N{slot_q[0]}};"),
            switch("held_data_q <= out_data;", "held_data_q <= slot_q[0] ? out_data : 0;"),
        ),
    ),
    Faulty(
        "an output shows what was never written",
        f"{BASIC} TEST=single_cells",
        (kind.UNKNOWN,),
        (
            middles(
                "data_o    <= {(N*W){1'b0}};",
                "data_o    <= {(N*W){1'b0}};\n    data_o[0] <= ring[N*N*DEPTH-1][0];",
            ),
            switch("& {W{out_cell[x]}};", ";"),
        ),
    ),
    Faulty(
        "the flag of an overflow goes up at the neighbour",
        f"{SHORT_UFS} TEST=full_load",
        (kind.COUNTERS,),
        (
            switch(
                "overflow_ingress_o | in_dropped;",
                "overflow_ingress_o | {in_dropped[0], in_dropped[N-1:1]};",
            ),
        ),
    ),
    Faulty(
        "the flag of an overflow goes down again",
        f"{SHORT_UFS} TEST=overload",
        (kind.COUNTERS,),
        (switch("<= overflow_middle_o | mid_dropped;", "<= mid_dropped;"),),
    ),
)

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
    *RESETS,
)
ON_VERILATOR = (PLAIN[2],)
