"""Faulty designs of the bufferless fat-tree."""

from fattree_bench.bench import faults as kind
from tests.tb.faults.faulty import STOPPED, Edit, Faulty, stopped


def node(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_node.v", old, new, times)


def tree(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_tree.v", old, new, times)


def leaves(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_leaves.v", old, new, times)


def level(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_level.v", old, new, times)


def concentrator(old: str, new: str, times: int = 1) -> Edit:
    return Edit("common/concentrator.v", old, new, times)


def delay_line(old: str, new: str, times: int = 1) -> Edit:
    return Edit("common/delay_line.v", old, new, times)


SWAPPED_CHILDREN = Faulty(
    "a packet from above goes to the other child",
    "N=4 TEST=single_packets",
    (kind.MISDELIVERED,),
    (node("^ {C_UP{~q[0]}}", "^ {C_UP{q[0]}}"),),
)
DROPPED_BIT = Faulty(
    "bit 3 of the payload is dropped at the entry",
    "N=8 TEST=frame",
    (kind.CORRUPTED,),
    (leaves("data_i[x*W +: W] & {W{entering", "data_i[x*W +: W] & ~8 & {W{entering"),),
)
ONE_LANE_TOO_FEW = Faulty(
    "one lane too few where the frame is free of conflicts",
    "N=8 TEST=frame",
    (STOPPED,),
    (tree("- (1 << (N_LOG - 2 * j));\n", "- (1 << (N_LOG - 2 * j)) - 1;\n"),),
)

DESIGNS = (
    SWAPPED_CHILDREN,
    DROPPED_BIT,
    Faulty(
        "bit 3 of the payload is dropped, seen packet by packet",
        "N=4 TEST=classic",
        (kind.CORRUPTED,),
        DROPPED_BIT.edits,
    ),
    Faulty(
        "lane 0 of every crossbar is stuck at input 0",
        "N=8 TEST=single_packets",
        (kind.LOST,),
        (Edit("common/crossbar.v", "if (enable_i", "if (l == 0) i = 0;\n        if (enable_i"),),
    ),
    ONE_LANE_TOO_FEW,
    Faulty(
        "one lane too few where packets are lost anyway",
        "N=8 TEST=rotators",
        (kind.LOST, kind.CONFLICTS),
        ONE_LANE_TOO_FEW.edits,
    ),
    Faulty(
        "one lane too many",
        "N=8 TEST=rotators",
        (kind.UNPREDICTED, kind.CONFLICTS),
        (tree("- (1 << (N_LOG - 2 * j));\n", "- (1 << (N_LOG - 2 * j)) + 1;\n"),),
    ),
    Faulty(
        "a packet that turns goes up as well",
        "N=8 TEST=single_packets CAPACITY=NONBLOCKING",
        (kind.DUPLICATED,),
        (node("request = up_valid_i & outside;", "request = up_valid_i;"),),
    ),
    Faulty(
        "a packet is given out at two leaves",
        "N=8 TEST=single_packets",
        (kind.DUPLICATED,),
        (
            leaves(
                "down_data_i[x*W +: W] | (",
                "down_data_i[x*W +: W] | down_data_i[(x^1)*W +: W] | (",
            ),
            leaves(
                "valid_o    = down_valid_i | looped",
                "valid_o    = down_valid_i | looped\n"
                "    | (down_valid_i & {(N/2){2'b01}}) << 1 | (down_valid_i & {(N/2){2'b10}}) >> 1",
            ),
        ),
    ),
    Faulty(
        "SCHEDULED: the slot number does not advance",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        (kind.MISDELIVERED,),
        (tree(": slot_q + 1'b1", ": slot_q"),),
    ),
    Faulty(
        "SCHEDULED: the slot number wraps one slot early",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        (kind.MISDELIVERED,),
        (tree("slot_q == last_slot_i)", "slot_q + 1'b1 == last_slot_i)"),),
    ),
    Faulty(
        "SCHEDULED: the way down uses the settings of the way up's slot",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        (STOPPED,),
        (tree("slot[STEPS*SLOT_W +: SLOT_W]", "slot[(N_LOG-1-j)*SLOT_W +: SLOT_W]"),),
    ),
    Faulty(
        "SCHEDULED: the last row of settings is not written",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        (kind.LOST,),
        (level("if (row_write_i) begin", "if (row_write_i && row_slot_i != DEPTH - 1) begin"),),
    ),
    Faulty(
        "SCHEDULED: the slot number survives a reset",
        "N=8 TEST=reset_in_frame CONTROL=SCHEDULED",
        (kind.MISDELIVERED,),
        (
            tree("(rst || slot_q == last_slot_i)", "(slot_q == last_slot_i)"),
            tree("reg [SLOT_W-1:0] slot_q;", "reg [SLOT_W-1:0] slot_q = 0;"),
        ),
    ),
    Faulty(
        "a turning packet waits one clock too long",
        "N=8 TEST=single_packets",
        (kind.LATE,),
        (node(".DEPTH(TURN_DELAY)", ".DEPTH(TURN_DELAY + 1)", 3),),
    ),
    Faulty(
        "a loop-back comes one clock late",
        "N=8 TEST=single_packets",
        (kind.LATE,),
        (leaves(".DEPTH(LATENCY)", ".DEPTH(LATENCY + 1)", 2),),
    ),
    Faulty(
        "every other packet overtakes the one before it",
        "N=2 TEST=permutations",
        (kind.LATE, kind.REORDERED),
        (
            delay_line(
                "      reg [WIDTH-1:0] data_q;\n",
                "      reg [3*WIDTH-1:0] data_q;\n      reg even_q;\n"
                "      always @(posedge clk) even_q <= rst | ~even_q;\n",
            ),
            delay_line(
                "data_q <= rst ? {WIDTH{1'b0}} : data_i;",
                "data_q <= rst ? {(3*WIDTH){1'b0}} : {data_q[2*WIDTH-1:0], data_i};",
            ),
            delay_line(
                "data_o = data_q;",
                "data_o = even_q ? data_q[2*WIDTH +: WIDTH] : data_q[WIDTH-1:0];",
            ),
        ),
    ),
    Faulty(
        "the highest input goes first",
        "N=8 TEST=all_to_one",
        (kind.UNPREDICTED, kind.LOST),
        (
            concentrator("= ((i >> b)", "= (((R-1-i) >> b)"),
            concentrator(
                "valid         = valid_i[k*R +: R];",
                "for (l = 0; l < R; l = l + 1) valid[l] = valid_i[k*R + R-1-l];",
            ),
        ),
    ),
    Faulty(
        "a concentrator forgets its last input",
        "N=8 TEST=frame",
        (kind.LOST,),
        (concentrator("= valid_i[k*R +: R];", "= valid_i[k*R +: R] & ~({R{1'b1}} << (R-1));"),),
    ),
    Faulty(
        "conflicts on the way up are not counted",
        "N=8 TEST=rotators",
        (kind.CONFLICTS,),
        (tree("up_q   + widen(up_lost  [i*(N_LOG+1) +: N_LOG+1])", "up_q"),),
    ),
    Faulty(
        "conflicts on the way down are counted twice",
        "N=8 TEST=all_to_one",
        (kind.CONFLICTS,),
        (tree("down_q + widen(down_lost", "down_q + 2 * widen(down_lost"),),
    ),
    Faulty(
        "loop-backs are not counted as injected",
        "N=8 TEST=frame",
        (kind.COUNTERS,),
        (leaves("entering[i]}", "up_valid_o[i]}"),),
    ),
    Faulty(
        "loop-backs are not counted as delivered",
        "N=8 TEST=frame",
        (kind.COUNTERS,),
        (leaves("valid_o[i]};", "down_valid_i[i]};"),),
    ),
    Faulty(
        "payload shows through at idle outputs",
        "N=8 TEST=single_packets",
        (kind.IDLE_NOT_ZERO,),
        (leaves("= data_i[x*W +: W] & {W{own[x]}};", "= data_i[x*W +: W];"),),
    ),
    Faulty(
        "idle outputs claim packets",
        "N=8 TEST=single_packets",
        (kind.SPURIOUS,),
        (
            leaves("down_data_i[x*W +: W] | (", "{W{~valid_o[x]}} | down_data_i[x*W +: W] | ("),
            tree(".valid_o     (valid_o)", ".valid_o     ()"),
            tree(
                "  wire [N-1:0]   loop;\n",
                "  wire [N-1:0]   loop;\n  assign valid_o = {N{1'b1}};\n",
            ),
        ),
    ),
    Faulty(
        "a reset leaves in the registers what is inside",
        "N=8 TEST=reset_in_frame",
        (kind.UNPREDICTED,),
        (
            delay_line("reg [WIDTH-1:0] data_q;", "reg [WIDTH-1:0] data_q = 0;"),
            delay_line("data_q <= rst ? {WIDTH{1'b0}} : data_i;", "data_q <= data_i;"),
        ),
    ),
    Faulty(
        "an idle output shows what was never written",
        "N=8 TEST=single_packets",
        (kind.UNKNOWN,),
        (delay_line("data_o = full_q ?", "data_o = (full_q || WIDTH > 32) ?"),),
    ),
    Faulty(
        "a counter is never reset",
        "N=8 TEST=frame",
        (kind.UNKNOWN, kind.COUNTERS),
        (tree("injected_q  <= rst ? {COUNT_W{1'b0}} : ", "injected_q  <= "),),
    ),
    stopped(
        "the upper half of a counter never moves",
        "N=8 TEST=messages COUNT_W=8",
        "a counter moved by more than it can",
        tree(
            "delivered_q <= rst ? {COUNT_W{1'b0}} : delivered_q + widen(delivered)",
            "delivered_q[COUNT_W/2-1:0] <= rst ? {(COUNT_W/2){1'b0}} :\n"
            "                                delivered_q[COUNT_W/2-1:0] + delivered",
        ),
        tree(
            "assign delivered_o = delivered_q;",
            "assign delivered_o = {{(COUNT_W/2){1'b0}}, delivered_q[COUNT_W/2-1:0]};",
        ),
    ),
    stopped(
        "a counter is wrong in every second clock",
        "N=8 TEST=frame COUNT_W=8",
        "a counter moved by more than it can",
        tree(
            "assign injected_o  = injected_q;",
            "assign injected_o  = injected_q ^ {{(COUNT_W-1){1'b0}}, odd_q};\n"
            "  reg odd_q;\n"
            "  always @(posedge clk) odd_q <= ~rst & ~odd_q;",
        ),
    ),
    Faulty(
        "STATIC: wires of the upper half lead to the wrong node",
        "N=16 TEST=frame UPPER_HALF=STATIC",
        (kind.MISDELIVERED,),
        (tree("FROM = (k ^ (g + 1)) * UP", "FROM = ((k + g + 1) % NODES) * UP"),),
    ),
    Faulty(
        "loop-backs are dropped",
        "N=8 TEST=frame",
        (kind.LOST,),
        (
            leaves(".data_i(own),", ".data_i({N{1'b0}}),"),
            leaves(".data_i(own_data)", ".data_i({(N*W){1'b0}})"),
        ),
    ),
    Faulty(
        "a leaf that is idle loops back what its header says",
        "N=8 TEST=messages",
        (kind.SPURIOUS,),
        (leaves("own[x] = entering[x] & (dst_i", "own[x] = (dst_i"),),
    ),
    Faulty(
        "the lowest bit of a leaf's words is the one that it has in most of them",
        "N=8 TEST=frame",
        (kind.CORRUPTED,),
        (
            leaves(
                "up_data_o[x*W +: W] = data_i[x*W +: W] &",
                "up_data_o[x*W +: W] = (data_i[x*W +: W] | (x == 0)) &",
            ),
        ),
    ),
    Faulty(
        "of more than 10 packets that a level loses at once 10 are counted",
        "N=16 TEST=crowds",
        (kind.CONFLICTS,),
        (
            tree(
                "down_q + widen(down_lost[i*(N_LOG+1) +: N_LOG+1])",
                "down_q + widen((down_lost[i*(N_LOG+1) +: N_LOG+1] > 10) ? 10"
                " : down_lost[i*(N_LOG+1) +: N_LOG+1])",
            ),
        ),
    ),
    Faulty(
        "valid never rises",
        "N=8 TEST=frame",
        (kind.LOST,),
        (leaves("= down_valid_i | looped;", "= {N{1'b0}};"),),
    ),
)
ON_VERILATOR = (ONE_LANE_TOO_FEW,)
