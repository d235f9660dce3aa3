"""Faulty designs of the bit-serial fat-tree."""

from fattree_bench.bench import faults as kind
from tests.tb.families.leiserson.draw_designs import (
    DRAWS,
    SHARED_SEED,
    STANDS_STILL,
    UNFAIR_COIN,
    WRONG_GUESS,
)
from tests.tb.families.leiserson.edits import (
    clock,
    coin,
    fabric,
    guess,
    interface,
    leiserson,
    node,
    sizes,
    stage,
    switch,
    tree,
    turn,
)
from tests.tb.faults.faulty import Edit, kept_by_resets, stopped, wide_counters

WIDE = wide_counters(
    "leiserson", "NETWORK=leiserson N=8 TEST=random_sets", kind.CONFLICTS, kind.CONFLICTS
)

TRAILING = (
    leiserson(
        "bits behind a message are never told",
        "N=8 TEST=trailing_bits",
        (kind.TRAILING,),
        tree("last_o ? trailing : {WIRES{1'b0}};", "{WIRES{1'b0}};"),
    ),
    leiserson(
        "bits behind a message are told of if the last one is set",
        "N=8 TEST=trailing_bits",
        (kind.TRAILING,),
        interface("trailing_o = trailing_q |", "trailing_o ="),
    ),
    leiserson(
        "the bit right behind a message is not told of",
        "N=8 TEST=trailing_bits",
        (kind.TRAILING,),
        interface("if (wire_i && arrived_q)", "if (wire_i && arrived_q && !ended_q)"),
    ),
)

COUNTING = (
    leiserson(
        "RANDOMISED: a guess is held for ever",
        "N=8 DISCIPLINE=RANDOMISED TEST=all_to_all,k_relation",
        (kind.COIN,),
        guess("left_q     <= left_q - 32'd1;", "left_q     <= left_q;"),
    ),
    leiserson(
        "a concentrator forgets from clock to clock how many wires are in use",
        "N=8 TEST=random_sets FORM=HARDWARE",
        (kind.ACKNOWLEDGE, kind.CORRUPTED, kind.LOST),
        Edit("common/concentrator_switch.v", "{USED_W{1'b0}} : used;", "{USED_W{1'b0}} : used_q;"),
    ),
    leiserson(
        "a receiver takes a data bit too few",
        "N=8 TEST=single_messages",
        (kind.ACKNOWLEDGE, kind.CORRUPTED, kind.TRAILING),
        interface(
            "left_q     <= WIDTH_INT[LEFT_W-1:0];", "left_q     <= WIDTH_INT[LEFT_W-1:0] - 1'b1;"
        ),
    ),
)

DESIGNS = (
    *DRAWS,
    leiserson(
        "a message that was lost off-line is sent again on-line",
        "N=4 TEST=sets_in_turn",
        (kind.SENDING,),
        interface("have & ~once_i;", "have;"),
    ),
    leiserson(
        "an interface sends what stands where nobody offers",
        "N=4 TEST=random_sets",
        (kind.SPURIOUS,),
        interface("wire_o = sending_q & (tick", "wire_o = (tick"),
    ),
    leiserson(
        "a message that is kept is sent off-line",
        "N=4 TEST=given_up",
        (kind.SENDING,),
        interface("& ~once_i & ~restart_i;", "& ~restart_i;"),
    ),
    leiserson(
        "a message that is kept outlives a restart",
        "N=4 TEST=given_up",
        (kind.SENDING, kind.LOST),
        interface("& ~once_i & ~restart_i;", "& ~once_i;"),
    ),
    leiserson(
        "a delivery cycle never ends",
        "N=4 TEST=single_messages",
        (kind.LIMIT,),
        clock("assign last_o    = (tick_q == LAST[TICK_W-1:0]);", "assign last_o = 1'b0;"),
    ),
    leiserson(
        "a message from above goes to the other child",
        "N=4 TEST=single_messages",
        (kind.MISDELIVERED,),
        node("to_left   = down_address_q & ~down_i", "to_left   = down_address_q &  down_i"),
        node("to_right  = down_address_q &  down_i", "to_right  = down_address_q & ~down_i"),
    ),
    leiserson(
        "the address bit is not stripped",
        "N=4 TEST=single_messages",
        (kind.CORRUPTED, kind.LATE, kind.SPURIOUS),
        switch("assign shown[o] = opened[o] | ", "assign shown[o] = "),
    ),
    leiserson(
        "the wrong address bit is stripped: the M bit instead of the address",
        "N=4 TEST=single_messages",
        (kind.LOST, kind.SPURIOUS, kind.CORRUPTED, kind.TRAILING),
        interface("place = FRAME_INT - tick;", "place = FRAME_INT - tick - (tick > 1);"),
    ),
    leiserson(
        "a message of zeros is taken for an idle wire",
        "N=4 TEST=payloads",
        (kind.LOST,),
        interface(
            "assign arrived_o  = arrived_q;", "assign arrived_o  = arrived_q & (data_q != 0);"
        ),
    ),
    leiserson(
        "a message of ones is taken for a wire that is stuck",
        "N=4 TEST=payloads",
        (kind.LOST,),
        interface("assign arrived_o  = arrived_q;", "assign arrived_o  = arrived_q & ~(&data_q);"),
    ),
    leiserson(
        "a path is not held beyond the first data bits",
        "N=4 TEST=single_messages",
        (kind.CORRUPTED,),
        clock("clear_o   = rst | load_o;", "clear_o   = rst | load_o | (tick_q == 18);"),
    ),
    leiserson(
        "the acknowledge goes to the sender on the next wire",
        "N=4 TEST=single_messages",
        (kind.ACKNOWLEDGE,),
        fabric(
            "= gen_channel[N_LOG].gen_above[q].up_ack;",
            "= gen_channel[N_LOG].gen_above[(q + LEAVES - 1) % LEAVES].up_ack;",
        ),
    ),
    leiserson(
        "acknowledges are lost: delivered messages are sent again",
        "N=4 TEST=k_relation",
        (kind.DUPLICATED, kind.ACKNOWLEDGE),
        interface("assign ack_o      = ended_q;", "assign ack_o      = 1'b0;"),
    ),
    leiserson(
        "an acknowledge takes one clock too long",
        "N=4 TEST=single_messages",
        (kind.ACKNOWLEDGE,),
        switch(
            "delay_line #(.DEPTH(PIPELINE), .WIDTH(R)) u_backward",
            "delay_line #(.DEPTH(PIPELINE + 1), .WIDTH(R)) u_backward",
        ),
    ),
    leiserson(
        "a late comer is dropped",
        "N=8 W=8 TEST=random_sets",
        (kind.CONFLICTS, kind.LOST),
        switch("&& place < S) begin", "&& place < S && used_q == 0) begin"),
    ),
    leiserson(
        "a late comer takes a wire that is in use",
        "N=8 W=8 TEST=random_sets",
        (kind.CORRUPTED, kind.LOST),
        switch("used_q};\n    if", "used_q} - (used_q > 0);\n    if"),
    ),
    leiserson(
        "priority is reversed",
        "N=8 TEST=random_sets",
        (kind.LOST, kind.UNPREDICTED),
        switch(
            "i      = {{(32-SELECT_W){1'b0}}, first};",
            "i      = R - 1 - {{(32-SELECT_W){1'b0}}, first};",
        ),
        switch("i = (i == R - 1) ? 0 : i + 1;", "i = (i == 0) ? R - 1 : i - 1;"),
    ),
    leiserson(
        "ROTATING: priority does not rotate",
        "N=8 TEST=random_sets PRIORITY=ROTATING",
        (kind.UNPREDICTED, kind.LOST),
        turn(": first_q + 1'b1;", ": first_q;"),
    ),
    leiserson(
        "one wire too few in the channels that a third of the wires leads to",
        "N=8 TEST=channel_load",
        (kind.LOST, kind.CONFLICTS),
        switch("&& place < S) begin", "&& place < S - (S > 1)) begin"),
    ),
    leiserson(
        "a message that turns goes up as well",
        "N=8 W=8 TEST=single_messages",
        (kind.SPURIOUS,),
        node("climb     = up_address_q   &  up_i;", "climb     = up_address_q;"),
    ),
    leiserson(
        "losses on the way down are counted twice",
        "N=8 TEST=random_sets",
        (kind.CONFLICTS,),
        tree(
            ".terms_i(down_lost[(k-1)*COUNT_W +: COUNT_W])",
            ".terms_i(down_lost[(k-1)*COUNT_W +: COUNT_W] << 1)",
        ),
    ),
    leiserson(
        "bit 3 of the data is stuck at zero",
        "N=4 TEST=permutation",
        (kind.CORRUPTED,),
        interface("assign data_o     = data_q", "assign data_o     = data_q & ~8"),
    ),
    leiserson(
        "wires do not fall silent behind a message",
        "N=4 TEST=single_messages",
        (kind.TRAILING,),
        interface(
            "& (tick <= FRAME_INT) & ~load_i & message_q[place[POINT_W-1:0]]",
            "& ~load_i & (tick > FRAME_INT | message_q[place[POINT_W-1:0]])",
        ),
    ),
    leiserson(
        "a message that was not acknowledged is forgotten",
        "N=8 TEST=all_to_one",
        (kind.SENDING, kind.LOST),
        interface(
            "wire               keep = pending_q & ~acked_q &", "wire               keep = 1'b0 &"
        ),
    ),
    leiserson(
        "RANDOMISED: the guess is squared beyond lg n lg lg n",
        "N=8 TEST=queues DISCIPLINE=RANDOMISED",
        (kind.COIN,),
        guess("(squared > LIMIT_E[4:0])  ? LIMIT_E[4:0] :", ""),
    ),
    leiserson(
        "RANDOMISED: all senders toss the same coin",
        "N=8 TEST=all_to_one DISCIPLINE=RANDOMISED",
        (kind.COIN,),
        tree("(k + 1) * 32'h9E3779B9", "32'h9E3779B9"),
    ),
    leiserson(
        "RANDOMISED: a generator that starts at 0 stays there",
        "N=8 TEST=zero_seed DISCIPLINE=RANDOMISED",
        (kind.COIN,),
        coin("((seed_i == 32'd0) ? 32'd1 : seed_i)", "seed_i"),
    ),
    leiserson(
        "delivery cycles are one clock longer than they need to be",
        "N=4 TEST=single_messages",
        (kind.CYCLE,),
        tree("parameter CYCLE      = 3 +", "parameter CYCLE      = 4 +"),
    ),
    leiserson(
        "a reset does not break off the delivery cycle",
        "N=4 TEST=reset",
        (kind.LOST, kind.CYCLE),
        clock("tick_q <= (rst || last_o)", "tick_q <= (last_o)"),
        clock("reg [TICK_W-1:0] tick_q;", "reg [TICK_W-1:0] tick_q = 0;"),
    ),
    leiserson(
        "PARTIAL: a named edge is taken though its output is in use",
        "N=8 W=8 TEST=random_sets CONCENTRATOR=PARTIAL",
        (kind.TRAILING, kind.CORRUPTED),
        stage(
            "&& !taken[output_of(i, e[2:0])])",
            "&& (!taken[output_of(i, e[2:0])] || choice < 3'd6))",
        ),
    ),
    leiserson(
        "PARTIAL: decision bits are read in the wrong order",
        "N=8 W=8 TEST=offline CONCENTRATOR=PARTIAL",
        (kind.LOST,),
        stage(
            "choice = choice_i[i*CHOICE_W + CHOICE_W-3 +: 3];",
            "choice = {choice_i[i*CHOICE_W + CHOICE_W-3], choice_i[i*CHOICE_W + CHOICE_W-2],"
            " choice_i[i*CHOICE_W + CHOICE_W-1]};",
        ),
    ),
    leiserson(
        "PARTIAL: one edge of a graph leads to the wrong output",
        "N=8 W=8 TEST=offline,random_sets CONCENTRATOR=PARTIAL",
        (kind.LOST,),
        Edit(
            "common/partial_graph.vh",
            "graph_output = (i + e) % s;",
            "graph_output = (i + e + (i == 1)) % s;",
        ),
    ),
    leiserson(
        "messages to the world outside are not acknowledged",
        "N=4 TEST=external",
        (kind.SENDING, kind.ACKNOWLEDGE),
        fabric(
            "gen_above[0].up_ack = ack_i [WIRES-1:LEAVES*LEAF_WIRES];", "gen_above[0].up_ack = 0;"
        ),
    ),
    leiserson(
        "capacities are rounded down",
        "N=8 TEST=random_sets",
        (kind.LOST, kind.CONFLICTS),
        sizes(
            "while (((c * c * c) << (2 * k)) < volume)",
            "while ((((c+1) * (c+1) * (c+1)) << (2 * k)) <= volume)",
        ),
    ),
    stopped(
        "a result stays where it is after the delivery cycle",
        "NETWORK=leiserson N=4 TEST=single_messages",
        "a result outside the last clock",
        tree("last_o ? m_tick   : 16'd0;", "m_tick;"),
    ),
    stopped(
        "a message is taken whenever none is kept",
        "NETWORK=leiserson N=4 TEST=permutation",
        "a message is taken outside the load clock",
        tree("load_o ? take     : {WIRES{1'b0}};", "take;"),
    ),
    stopped(
        "the M bits of messages do not reach the interfaces",
        "NETWORK=leiserson N=4 TEST=permutation",
        "a message is offered without its M bit",
        tree("(offer_i[k*FRAME_W +: FRAME_W]),", "({1'b0, offer_i[k*FRAME_W +: FRAME_W-1]}),"),
    ),
    stopped(
        "an interface keeps messages without their M bits",
        "NETWORK=leiserson N=4 TEST=permutation",
        "a message is kept without its M bit",
        interface("message_q <= offer_i;", "message_q <= {1'b0, offer_i[FRAME_W-2:0]};"),
    ),
    leiserson(
        "the clock of an M bit that never came is told",
        "N=4 TEST=single_messages",
        (kind.LATE,),
        interface(", tick_q};", ", arrived_q ? tick_q : {TICK_W{1'b1}}};"),
    ),
    *WIDE,
    kept_by_resets("leiserson", "NETWORK=leiserson N=8 TEST=reset", kind.CONFLICTS),
    *TRAILING,
    *COUNTING,
)
ON_VERILATOR = (STANDS_STILL, UNFAIR_COIN, WRONG_GUESS, SHARED_SEED, *WIDE, TRAILING[0])
