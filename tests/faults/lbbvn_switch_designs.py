"""Faulty designs of the whole load-balanced switch."""

from tb.env import faults as kind
from tests.faults.faulty import Edit, Faulty
from tests.faults.lbbvn_switch_edits import (
    BASIC,
    CROSSBAR,
    EIGHT,
    FOFF,
    GATED,
    LOSSY_FOFF,
    MAILBOX,
    NO_LANE,
    OVERFLOWED,
    PADDED,
    SHORT_FOFF,
    SHORT_MAILBOX,
    SHORT_UFS,
    UFS,
    inputs,
    mailboxes,
    middles,
    outputs,
    schedule,
    senders,
    stopped,
    survives,
    switch,
)

# What comes to mind first: wrong phase, wrong slot, wrong queue, lost place.
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

FRAMES = (
    Faulty(
        "a frame begins one slot early",
        f"{UFS} TEST=single_cells",
        (kind.EARLY,),
        (
            inputs("if (m == {N_LOG{1'b0}}) begin", "if (m == LAST) begin"),
            inputs("busy && m == LAST", "busy && m == LAST - 1"),
            inputs("m - next_q[v] : m;", "m - next_q[v] : m + 1'b1;"),
        ),
    ),
    Faulty(
        "a frame is one cell short",
        f"{UFS} TEST=uniform",
        (kind.LATE,),
        (inputs("cells = FRAME;", "cells = FRAME - 1;"),),
    ),
    Faulty(
        "a VOQ needs one cell more than a frame has",
        f"{UFS} TEST=single_cells",
        (kind.LOST,),
        (inputs("if (count + 1'b1 >= FRAME)", "if (count >= FRAME)"),),
    ),
    Faulty(
        "cells are sent on under the number of the next output",
        f"{UFS} TEST=single_cells",
        (kind.MISDELIVERED,),
        (inputs("dst_o[x*N_LOG +: N_LOG] <= o;", "dst_o[x*N_LOG +: N_LOG] <= o + 1'b1;"),),
    ),
    Faulty(
        "the round robin of full frames does not move on",
        f"{UFS} TEST=full_load",
        (kind.LATE, kind.EARLY),
        (inputs("full_turn_q[x*N_LOG +: N_LOG] <= o + 1'b1;", ";"),),
    ),
    Faulty(
        "the round robin of full frames moves on by two",
        f"{UFS} TEST=full_load",
        (kind.LATE, kind.EARLY),
        (
            inputs(
                "full_turn_q[x*N_LOG +: N_LOG] <= o + 1'b1;",
                "full_turn_q[x*N_LOG +: N_LOG] <= o + 2'd2;",
            ),
        ),
    ),
    Faulty(
        "the round robin of other frames does not move on",
        f"{FOFF} TEST=uniform",
        (kind.EARLY,),
        (inputs("part_turn_q[x*N_LOG +: N_LOG] <= o + 1'b1;", ";"),),
    ),
    Faulty(
        "FOFF: other frames before full ones",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.EARLY),
        (
            inputs(
                "if (frame_q[x*N +: N] != {N{1'b0}}) begin",
                "if (frame_q[x*N +: N] != 0 && (some_q[x*N +: N] & ~frame_q[x*N +: N]) == 0) begin",
            ),
            inputs(
                "first_from(some_q[x*N +: N],", "first_from(some_q[x*N +: N] & ~frame_q[x*N +: N],"
            ),
        ),
    ),
    Faulty(
        "FOFF: the middle of a VOQ's next cell is not kept",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (inputs("next_q[v]  <= next_q[v] + cells[N_LOG-1:0];", ";"),),
    ),
    Faulty(
        "FOFF: the middle of a VOQ's next cell is one too far",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (inputs("next_q[v] + cells[N_LOG-1:0];", "next_q[v] + cells[N_LOG-1:0] + 1'b1;"),),
    ),
    Faulty(
        "what a frame sent stays in the count",
        f"{UFS} TEST=uniform",
        (kind.CORRUPTED, kind.SPURIOUS, kind.DUPLICATED),
        (inputs("count_q[v] <= count;\n          head", "head"),),
    ),
    Faulty(
        "a frame leaves its last cell at the head",
        f"{FOFF} TEST=uniform",
        (kind.DUPLICATED,),
        (inputs("head_q[v] + cells[A-1:0];", "head_q[v] + cells[A-1:0] - 1'b1;"),),
    ),
    Faulty(
        "drops at inputs are not counted",
        f"{SHORT_UFS} TEST=overload",
        (kind.COUNTERS,),
        (inputs("dropped_o[x] <= 1'b1;", ";"),),
    ),
    Faulty(
        "a full VOQ takes what comes",
        f"{SHORT_UFS} TEST=overload",
        (kind.LATE, kind.UNPREDICTED, kind.COUNTERS),
        (inputs("if (count == FULL)", "if (1'b0)"),),
    ),
    Faulty(
        "a VOQ is full one cell early",
        f"{SHORT_UFS} TEST=overload",
        (kind.EARLY, kind.LOST, kind.COUNTERS),
        (inputs("FULL   = DEPTH_INT[COUNT_W-1:0];", "FULL   = DEPTH_INT[COUNT_W-1:0] - 1'b1;"),),
    ),
    Faulty(
        "PADDED: the threshold is one too high",
        f"{PADDED} TEST=uniform",
        (kind.LATE,),
        (inputs("busy  = (most >= ENOUGH);", "busy  = (most > ENOUGH);"),),
    ),
    Faulty(
        "PADDED: closed gates are ignored",
        f"{PADDED} TEST=overload",
        (kind.LATE, kind.COUNTERS),
        (inputs(" && !closed[x*N + i])", ")"),),
    ),
    Faulty(
        "PADDED: a gate that was closed stays closed",
        f"{PADDED} TEST=overload",
        (kind.LATE,),
        (inputs("<= closed_i[i];", "<= closed_i[i] | closed_q[{card, m}];"),),
    ),
    Faulty(
        "PADDED: inputs take a gate for that of the next output",
        f"{PADDED} TEST=overload",
        (kind.LATE,),
        (inputs("closed_q[{card, m}] <=", "closed_q[{card, m + 2'd1}] <="),),
    ),
    Faulty(
        "PADDED: fakes are not marked",
        f"{PADDED} TEST=uniform",
        (kind.SPURIOUS,),
        (inputs("fake_o[x]               <= fake;", "fake_o[x] <= 1'b0;"),),
    ),
    Faulty(
        "PADDED: of equally long VOQs the highest goes first",
        f"{PADDED} TEST=uniform",
        (kind.LATE, kind.EARLY),
        (inputs("i[N_LOG-1:0]}] > most &&", "i[N_LOG-1:0]}] >= most &&"),),
    ),
)

MIDDLES = (
    Faulty(
        "cells get into the middle's queue for the neighbour",
        f"{BASIC} TEST=single_cells",
        (kind.MISDELIVERED,),
        (
            middles(
                "{middle_number, dst_i[m*N_LOG +: N_LOG]}",
                "{middle_number, dst_i[m*N_LOG +: N_LOG] ^ 2'd1}",
            ),
        ),
    ),
    Faulty(
        "the queues of the middles are stacks",
        f"{UFS} TEST=uniform",
        (kind.EARLY, kind.REORDERED),
        (
            middles("ring[{v, head_q[v]}];", "ring[{v, head_q[v] + count[A-1:0] - 1'b1}];"),
            middles("head_q[v]       <= head_q[v] + 1'b1;", ""),
        ),
    ),
    Faulty(
        "the head of a middle's queue stays where it is",
        f"{BASIC} TEST=uniform",
        (kind.DUPLICATED, kind.LOST),
        (middles("head_q[v]       <= head_q[v] + 1'b1;", ""),),
    ),
    Faulty(
        "drops in the middles are not counted",
        f"{SHORT_UFS} TEST=overload",
        (kind.COUNTERS,),
        (middles("dropped_o[m] <= 1'b1;", ";"),),
    ),
    Faulty(
        "a middle's queue is full one cell early",
        f"{SHORT_UFS} TEST=overload",
        (kind.EARLY, kind.LOST, kind.COUNTERS),
        (middles("FULL   = DEPTH_INT[COUNT_W-1:0];", "FULL   = DEPTH_INT[COUNT_W-1:0] - 1'b1;"),),
    ),
    Faulty(
        "a full queue of a middle takes what comes",
        f"{SHORT_UFS} TEST=overload",
        (kind.LOST, kind.UNPREDICTED),
        (middles("if (count == FULL)", "if (1'b0)"),),
    ),
    Faulty(
        "a cell cannot leave a middle in the slot in which it came",
        f"{BASIC} TEST=single_cells",
        (kind.LATE,),
        (
            middles(
                "  always @(posedge clk) begin : fifos",
                "  reg [N-1:0] came_q;\n  reg [N*N_LOG-1:0] where_q;\n"
                "  always @(posedge clk) if (take_i) came_q <= cell_i;\n"
                "  always @(posedge clk) if (take_i) where_q <= dst_i;\n"
                "  always @(posedge clk) begin : fifos",
            ),
            middles(
                "if (count != {COUNT_W{1'b0}}) begin",
                "if (count > (came_q[m] && where_q[m*N_LOG +: N_LOG] == y)) begin",
            ),
        ),
    ),
    Faulty(
        "PADDED: a gate closes one cell late",
        f"{PADDED} TEST=overload",
        (kind.LATE, kind.EARLY),
        (middles("(own >= ENOUGH)", "(own > ENOUGH)"),),
    ),
    Faulty(
        "PADDED: a gate counts the cell that leaves",
        f"{PADDED} TEST=overload",
        (kind.LATE,),
        (middles("if (y == middle_number) own = own - 1'b1;", ""),),
    ),
)

MAILBOXES = (
    Faulty(
        "MAILBOX: a cell has to wait a slot too little",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.COUNTERS),
        (
            senders(
                ": last_q[{input_number, o}]) + 1'b1 - now_q;",
                ": last_q[{input_number, o}]) - now_q;",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: a cell has to wait a round too little",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (
            mailboxes(
                "{1'b0, wait_i[m*WAIT_W +: WAIT_W]} -", "{1'b0, wait_i[m*WAIT_W +: WAIT_W]} - N -"
            ),
        ),
    ),
    Faulty(
        "MAILBOX: a cell has to wait a slot too long",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE,),
        (
            senders(
                ": last_q[{input_number, o}]) + 1'b1 - now_q;",
                ": last_q[{input_number, o}]) + 2'd2 - now_q;",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: a place too few is tried",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE,),
        (mailboxes("i = TRIES - 1;", "i = TRIES - 2;"),),
    ),
    Faulty(
        "MAILBOX: a cell is put one place behind the one that is free",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.LOST, kind.REORDERED),
        (mailboxes("place = first + i[A-1:0];", "place = first + i[A-1:0] + 1'b1;"),),
    ),
    Faulty(
        "MAILBOX: a place that is taken is taken again",
        f"{MAILBOX} TEST=full_load",
        (kind.EARLY, kind.LOST),
        (mailboxes("empty  = ~taken_q[v] >> first;", "empty  = {DEPTH{1'b1}} >> first;"),),
    ),
    Faulty(
        "MAILBOX: an input gets the answer to its neighbour's offer",
        f"{MAILBOX} TEST=uniform",
        (kind.DUPLICATED, kind.LOST),
        (
            switch(
                ".accepted_i(out_told)",
                ".accepted_i({out_told[N-2:0], out_told[N-1]})",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: an input is told the departure of its neighbour's cell",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (
            switch(
                ".after_i   (out_after)",
                ".after_i   ({out_after[0 +: WAIT_W], out_after[N*WAIT_W-1:WAIT_W]})",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: the departure of a flow's last cell is forgotten",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (
            senders("last_q[{input_number, same}] <= ahead;", ""),
            senders(
                "((took && o == same) ? ahead : last_q[{input_number, o}])",
                "last_q[{input_number, o}]",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: the departure of a cell is noted with another flow",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE, kind.REORDERED),
        (
            senders(
                "last_q[{input_number, same}] <= ahead;",
                "last_q[{input_number, same ^ 2'd1}] <= ahead;",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: departures long past are never forgotten",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE,),
        (senders("last_q[{input_number, o}] <= now_q - 1'b1;", ";"),),
    ),
    Faulty(
        "MAILBOX: places move up only if the first one is taken",
        f"{MAILBOX} TEST=uniform",
        (kind.LATE,),
        (
            mailboxes(
                "taken_q[u] <= ((v == u) ? taken : taken_q[u]) >> 1;\n"
                "        base_q[u]  <= base_q[u] + 1'b1;",
                "if (taken_q[u][0] || (v == u && taken[0])) begin\n"
                "          taken_q[u] <= ((v == u) ? taken : taken_q[u]) >> 1;\n"
                "          base_q[u]  <= base_q[u] + 1'b1;\n"
                "        end else if (v == u) taken_q[u] <= taken;",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: a cell cannot leave in the slot in which it came",
        f"{MAILBOX} TEST=single_cells",
        (kind.LATE,),
        (
            mailboxes(
                "first  = beyond[N_LOG +: A];",
                "first  = (soon == 0 && beyond[N_LOG +: A] == 0) ? 1 : beyond[N_LOG +: A];",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: refusals are not counted",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.COUNTERS,),
        (mailboxes("refused_o[m] <= cell_i[m] & ~found;", ""),),
    ),
    Faulty(
        "MAILBOX: drops at inputs are not counted",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.COUNTERS,),
        (senders("dropped_o[x] <= new_q[x] && !kept;", ""),),
    ),
    Faulty(
        "MAILBOX: a full FIFO takes what comes",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.LOST,),
        (senders("kept = new_q[x] && (count != FULL);", "kept = new_q[x];"),),
    ),
    Faulty(
        "MAILBOX: a head that was refused is thrown away",
        f"{SHORT_MAILBOX} TEST=full_load",
        (kind.EARLY, kind.LOST),
        (senders("        if (took) begin", "        if (took || cell_o[x]) begin"),),
    ),
)

RESEQUENCERS = (
    stopped(
        "FOFF: a FIFO of the resequencer loses its last place where none should be lost",
        f"{SHORT_FOFF} TEST=uniform",
        OVERFLOWED,
        outputs("FULL = DEPTH_INT[COUNT_W-1:0];", "FULL = DEPTH_INT[COUNT_W-1:0] - 1'b1;"),
    ),
    Faulty(
        "FOFF: the resequencer loses every other slot",
        f"{FOFF} RESEQUENCER=256 TEST=uniform",
        (kind.LATE,),
        (outputs("if (heads != {N{1'b0}}) begin", "if (heads != {N{1'b0}} && !slot_i[0]) begin"),),
    ),
    Faulty(
        "FOFF: the next cell is expected from the same middle",
        f"{FOFF} RESEQUENCER=256 TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (
            outputs(
                "expected_q[{output_number, x}] <= m + 1'b1;",
                "expected_q[{output_number, x}] <= m;",
            ),
        ),
    ),
    Faulty(
        "FOFF: the resequencer looks first at the middle that is connected",
        f"{FOFF} TEST=uniform",
        (kind.EARLY,),
        (
            outputs(
                "middle_of_output(output_number, slot_i) + 1'b1;",
                "middle_of_output(output_number, slot_i);",
            ),
        ),
    ),
    Faulty(
        "FOFF: the next cell of a source is overlooked where it waits already",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (outputs("if (some_q[u] && source_q[u] == x) ready_q[u] <= 1'b1;", ""),),
    ),
    Faulty(
        "FOFF: any head may leave",
        f"{FOFF} TEST=uniform",
        (kind.EARLY, kind.REORDERED),
        (
            outputs("ready_q[v]  <= (expected_q[{output_number, x}] == m);", "ready_q[v] <= 1'b1;"),
            outputs(
                "(count != {COUNT_W{1'b0}}) && ring[{v, head}][W +: N_LOG] != x\n"
                "                         "
                "&& expected_q[{output_number, ring[{v, head}][W +: N_LOG]}] == m;",
                "(count != {COUNT_W{1'b0}});",
            ),
        ),
    ),
    Faulty(
        "FOFF: a cell that leaves is not taken off the resequencer's total",
        f"{FOFF} TEST=uniform",
        (kind.RESEQUENCER, kind.COUNTERS),
        (outputs("total = total - 1'b1;", ""),),
    ),
    Faulty(
        "FOFF: most cells in a resequencer, of output 0 only",
        f"{FOFF} TEST=uniform",
        (kind.COUNTERS,),
        (outputs("if (total > most) most", "if (total > most && y == 0) most"),),
    ),
    Faulty(
        "FOFF: gaps that lost cells leave are not skipped",
        f"{SHORT_FOFF} TEST=full_load",
        (kind.LOST, kind.COUNTERS),
        (outputs("skipped_o[y] <= (heads != {N{1'b0}});", "heads = 0;"),),
    ),
    Faulty(
        "FOFF: a gap is skipped one slot early",
        f"{SHORT_FOFF} TEST=full_load",
        (kind.EARLY,),
        (outputs("IDLE_INT  = 2 * N;", "IDLE_INT  = 2 * N - 1;"),),
    ),
    Faulty(
        "FOFF: a gap is skipped although the cell is on its way",
        f"{FOFF} TEST=uniform",
        (kind.LATE, kind.REORDERED, kind.RESEQUENCER),
        (outputs("IDLE_INT  = 2 * N;", "IDLE_INT  = 1;"),),
    ),
    Faulty(
        "FOFF: a FIFO is too long with one cell more",
        f"{LOSSY_FOFF} TEST=overload",
        (kind.LATE,),
        (outputs("LONG_INT  = N + 2;", "LONG_INT  = N + 3;"),),
    ),
    Faulty(
        "FOFF: skipped gaps are not counted",
        f"{SHORT_FOFF} TEST=full_load",
        (kind.COUNTERS,),
        (outputs("skipped_o[y] <= (heads != {N{1'b0}});", ""),),
    ),
    Faulty(
        "FOFF: drops at outputs are not counted",
        f"{SHORT_FOFF} TEST=uniform",
        (kind.COUNTERS,),
        (outputs("dropped_o[y] <= 1'b1;", ";"),),
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
        f"{PADDED} TEST=uniform",
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
                "data_o    <= {(N*W){1'b0}};\n    data_o[0] <= ring[0][0];",
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

RESETS = (
    Faulty(
        "a reset leaves cells in the queues of the middles",
        f"{BASIC} TEST=reset",
        (kind.UNPREDICTED,),
        (
            survives("middle", "count_q[m]", "{COUNT_W{1'b0}}"),
            survives("middle", "head_q[m] ", "{A{1'b0}}"),
        ),
    ),
    Faulty(
        "a reset leaves cells in the VOQs",
        f"{FOFF} TEST=reset",
        (kind.LATE, kind.UNPREDICTED),
        (
            survives("frame_ingress", "count_q[i]", "{COUNT_W{1'b0}}"),
            survives("frame_ingress", "head_q[i] ", "{A{1'b0}}"),
        ),
    ),
    Faulty(
        "a reset leaves the round robin of full frames where it is",
        f"{UFS} TEST=reset",
        (kind.EARLY, kind.LATE),
        (survives("frame_ingress", "full_turn_q", "{(N*N_LOG){1'b0}}"),),
    ),
    Faulty(
        "FOFF: a reset does not lead the cells to middle 0 again",
        f"{FOFF} TEST=reset",
        (kind.LOST, kind.REORDERED, kind.RESEQUENCER),
        (survives("frame_ingress", "next_q[i] ", "{N_LOG{1'b0}}"),),
    ),
    Faulty(
        "a reset leaves a frame in mid-air",
        f"{UFS} TEST=reset",
        (kind.SPURIOUS, kind.DUPLICATED),
        (survives("frame_ingress", "busy_q     ", "{N{1'b0}}"),),
    ),
    Faulty(
        "FOFF: a reset leaves what the resequencer expects",
        f"{FOFF} TEST=reset",
        (kind.LOST, kind.REORDERED, kind.RESEQUENCER),
        (survives("resequencer", "expected_q[i]", "{N_LOG{1'b0}}"),),
    ),
    Faulty(
        "FOFF: a reset does not clear the most cells in a resequencer",
        f"{FOFF} TEST=reset",
        (kind.COUNTERS,),
        (survives("resequencer", "most_o ", "{TOTAL_W{1'b0}}"),),
    ),
    Faulty(
        "PADDED: a reset leaves gates closed",
        f"{GATED} TEST=reset",
        (kind.EARLY, kind.LATE),
        (
            Edit(
                "lbbvn_switch/lbbvn_frame_ingress.v",
                "if (rst)\n          closed_q <= {(N*N){1'b0}};",
                "if (rst && ^closed_q === 1'bx)\n          closed_q <= {(N*N){1'b0}};",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: a reset leaves cells in the mailboxes",
        f"{MAILBOX} TEST=reset",
        (kind.LATE, kind.UNPREDICTED),
        (
            survives("mailbox", "taken_q[m]", "{DEPTH{1'b0}}"),
            survives("mailbox", "base_q[m] ", "{A{1'b0}}"),
        ),
    ),
    Faulty(
        "MAILBOX: a reset leaves departures",
        f"{MAILBOX} TEST=reset",
        (kind.LATE,),
        (
            Edit(
                "lbbvn_switch/lbbvn_mailbox_ingress.v",
                "last_q[i] <= {STAMP_W{1'b1}};  // the slot before the first",
                "if (^last_q[i] === 1'bx) last_q[i] <= {STAMP_W{1'b1}};",
            ),
        ),
    ),
    Faulty(
        "MAILBOX: a reset leaves cells in the FIFOs",
        f"{MAILBOX} TEST=reset",
        (kind.LATE, kind.UNPREDICTED),
        (
            survives("mailbox_ingress", "count_q", "{(N*COUNT_W){1'b0}}"),
            survives("mailbox_ingress", "head_q ", "{(N*A){1'b0}}"),
        ),
    ),
    Faulty(
        "the slot counter survives a reset",
        f"{UFS} TEST=reset",
        (kind.EARLY,),
        (
            Edit(
                "lbbvn_switch/lbbvn_switch.v",
                "      slot_q   <= {N_LOG{1'b0}};",
                "      if (^slot_q === 1'bx) slot_q <= 0;",
            ),
        ),
    ),
    Faulty(
        "a counter of drops survives a reset",
        f"{SHORT_UFS} TEST=reset",
        (kind.COUNTERS,),
        (survives("switch", "dropped_middle_o      ", "{COUNT_W{1'b0}}"),),
    ),
    stopped(
        "the flag of an overflow survives a reset",
        f"{SHORT_UFS} TEST=reset",
        OVERFLOWED,
        survives("switch", "overflow_middle_o     ", "{N{1'b0}}"),
    ),
    Faulty(
        "a reset leaves in the registers of the fabric what is inside",
        f"{BASIC} TEST=reset",
        (kind.UNPREDICTED,),
        (
            Edit("common/delay_line.v", "reg [WIDTH-1:0] data_q;", "reg [WIDTH-1:0] data_q = 0;"),
            Edit(
                "common/delay_line.v",
                "data_q <= rst ? {WIDTH{1'b0}} : data_i;",
                "data_q <= data_i;",
            ),
        ),
    ),
)

# The first of each name is caught in every run of the tests.
DESIGNS = (
    *PLAIN,
    *OUTPUTS,
    *RESEQUENCERS,
    *SCHEDULES,
    *FRAMES,
    *MIDDLES,
    *MAILBOXES,
    *FABRICS,
    *RESETS,
)
ON_VERILATOR = (PLAIN[2],)
