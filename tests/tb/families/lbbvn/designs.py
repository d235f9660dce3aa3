"""Faulty designs of the bufferless fat-tree."""

from fattree_bench.bench import faults as kind
from tests.tb.faults.faulty import Edit, Faulty, kept_by_resets, stopped, wide_counters


def node(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_node.v", old, new, times)


def tree(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_tree.v", old, new, times)


def sizes(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_sizes.vh", old, new, times)


def datapath(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_datapath.v", old, new, times)


def leaf(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_leaf.v", old, new, times)


def settings(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_settings.v", old, new, times)


def slots(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_slots.v", old, new, times)


def counter(old: str, new: str, times: int = 1) -> Edit:
    return Edit("common/event_counter.v", old, new, times)


def concentrator(old: str, new: str, times: int = 1) -> Edit:
    return Edit("common/concentrator.v", old, new, times)


def delay_line(old: str, new: str, times: int = 1) -> Edit:
    return Edit("common/delay_line.v", old, new, times)


SWAPPED_CHILDREN = Faulty(
    "a packet from above goes to the other child",
    "N=4 TEST=single_packets",
    (kind.MISDELIVERED,),
    (node("H + SIDE] == c", "H + SIDE] != c"),),
)
DROPPED_BIT = Faulty(
    "bit 3 of the payload is dropped at the entry",
    "N=8 TEST=frame",
    (kind.CORRUPTED,),
    (leaf("= data_i & {W{up_valid_o}};", "= data_i & ~8 & {W{up_valid_o}};"),),
)
CONFLICT = "a conflict where the bench expects none"
ONE_LANE_TOO_FEW = stopped(
    "one lane too few where the frame is free of conflicts",
    "N=8 TEST=frame",
    CONFLICT,
    sizes("- (1 << (N_LOG - 2 * j));\n", "- (1 << (N_LOG - 2 * j)) - 1;\n"),
)
WIDE = wide_counters("lbbvn", "N=8 TEST=rotators", kind.CONFLICTS, kind.COUNTERS)
BEYOND = tuple(
    stopped(
        f"SCHEDULED: a crossbar's select beyond its inputs shows {what}",
        "N=8 TEST=scheduled_slots CONTROL=SCHEDULED",
        CONFLICT,
        Edit(
            "common/crossbar.v",
            "if (enable_i[l] && i < R)",
            f"if (i >= R) i = {shown};\n      if (enable_i[l])",
        ),
    )
    for what, shown in (("the last one", "R - 1"), ("what its lower bits select", "i - R"))
)
FAST_FORGETS = Faulty(
    "the fast form of a concentrator forgets its last input",
    "N=8 TEST=frame",
    (kind.LOST,),
    (
        Edit(
            "common/fast/packet_concentrator_fast.v",
            "for (i = 0; i < R; i = i + 1)",
            "for (i = 0; i < R - 1; i = i + 1)",
        ),
    ),
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
        "N=8 TEST=single_packets FORM=HARDWARE",
        (kind.LOST,),
        (Edit("common/crossbar.v", "if (enable_i", "if (l == 0) i = 0;\n        if (enable_i"),),
    ),
    *BEYOND,
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
        (sizes("- (1 << (N_LOG - 2 * j));\n", "- (1 << (N_LOG - 2 * j)) + 1;\n"),),
    ),
    Faulty(
        "a packet that turns goes up as well",
        "N=8 TEST=single_packets CAPACITY=NONBLOCKING",
        (kind.DUPLICATED,),
        (Edit("lbbvn/lbbvn_up_port.v", "valid_i[i] && outside[i]", "valid_i[i]"),),
    ),
    Faulty(
        "a packet is given out at two leaves",
        "N=8 TEST=single_packets",
        (kind.DUPLICATED,),
        (
            datapath(
                ".down_valid_i(gen_channel[N_LOG].gen_node[i].down_valid)",
                ".down_valid_i(gen_channel[N_LOG].gen_node[i].down_valid\n"
                "                      | gen_channel[N_LOG].gen_node[i ^ 1].down_valid)",
            ),
            datapath(
                ".down_data_i(gen_channel[N_LOG].gen_node[i].down_data)",
                ".down_data_i(gen_channel[N_LOG].gen_node[i].down_data\n"
                "                      | gen_channel[N_LOG].gen_node[i ^ 1].down_data)",
            ),
        ),
    ),
    Faulty(
        "SCHEDULED: the slot number does not advance",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        (kind.MISDELIVERED,),
        (slots(": slot_q + 1'b1", ": slot_q"),),
    ),
    Faulty(
        "SCHEDULED: the slot number wraps one slot early",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        (kind.MISDELIVERED,),
        (slots("slot_q == last_slot_i)", "slot_q + 1'b1 == last_slot_i)"),),
    ),
    stopped(
        "SCHEDULED: the way down uses the settings of the way up's slot",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        CONFLICT,
        datapath("slot_i[STEPS*SLOT_W +: SLOT_W]", "slot_i[(N_LOG-1-j)*SLOT_W +: SLOT_W]"),
    ),
    Faulty(
        "SCHEDULED: the last row of settings is not written",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        (kind.LOST,),
        (settings("if (write_i)", "if (write_i && write_slot_i != DEPTH - 1)"),),
    ),
    Faulty(
        "SCHEDULED: the slot number survives a reset",
        "N=8 TEST=reset_in_frame CONTROL=SCHEDULED",
        (kind.MISDELIVERED,),
        (
            slots("(rst || slot_q == last_slot_i)", "(slot_q == last_slot_i)"),
            slots("reg [SLOT_W-1:0] slot_q;", "reg [SLOT_W-1:0] slot_q = 0;"),
        ),
    ),
    Faulty(
        "a turning packet waits one clock too long",
        "N=8 TEST=single_packets",
        (kind.LATE,),
        (node(".DEPTH(TURN_DELAY)", ".DEPTH(TURN_DELAY + 1)", 2),),
    ),
    Faulty(
        "a loop-back comes one clock late",
        "N=8 TEST=single_packets",
        (kind.LATE,),
        (leaf(".DEPTH(LATENCY)", ".DEPTH(LATENCY + 1)"),),
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
        "N=8 TEST=all_to_one FORM=HARDWARE",
        (kind.UNPREDICTED, kind.LOST),
        (
            concentrator("= ((i >> b)", "= (((R-1-i) >> b)"),
            concentrator(
                "    packed_planes = move_down({count_below(~valid_i), valid_i, NUMBERS}"
                " & {PLANES{valid_i}});",
                "    for (l = 0; l < R; l = l + 1) packed_valid[l] = valid_i[R-1-l];\n"
                "    packed_planes = move_down({count_below(~packed_valid), packed_valid, NUMBERS}"
                " & {PLANES{packed_valid}});",
            ),
        ),
    ),
    Faulty(
        "a concentrator forgets its last input",
        "N=8 TEST=frame FORM=HARDWARE",
        (kind.LOST,),
        (concentrator("{PLANES{valid_i}}", "{PLANES{valid_i & ~({R{1'b1}} << (R-1))}}"),),
    ),
    FAST_FORGETS,
    Faulty(
        "conflicts on the way up are not counted",
        "N=8 TEST=rotators",
        (kind.CONFLICTS,),
        (
            tree(
                ".terms_i(up_lost[(NODES-1)*LOST_W +: NODES*LOST_W])",
                ".terms_i({(NODES*LOST_W){1'b0}})",
            ),
        ),
    ),
    Faulty(
        "conflicts on the way down are counted twice",
        "N=8 TEST=all_to_one",
        (kind.CONFLICTS,),
        (tree("+: ABOVE*LOST_W])", "+: ABOVE*LOST_W] << 1)"),),
    ),
    Faulty(
        "loop-backs are not counted as injected",
        "N=8 TEST=frame",
        (kind.COUNTERS,),
        (leaf("entered_o  = entering;", "entered_o  = up_valid_o;"),),
    ),
    Faulty(
        "loop-backs are not counted as delivered",
        "N=8 TEST=frame",
        (kind.COUNTERS,),
        (
            tree(
                ".terms_i(valid_o), .count_o(delivered_o)",
                ".terms_i(came), .count_o(delivered_o)",
            ),
            tree("loop_lost, entered;", "loop_lost, entered, came;"),
            tree(".loop_lost_o(loop_lost)", ".loop_lost_o(loop_lost), .came_o(came)"),
            datapath("  output wire [N-1:0]              loop_", "  output [N-1:0] came_o, loop_"),
            datapath(
                "      wire loop;\n",
                "      wire loop;\n"
                "      assign came_o[i] = gen_channel[N_LOG].gen_node[i].down_valid;\n",
            ),
        ),
    ),
    Faulty(
        "payload shows through at idle outputs",
        "N=8 TEST=single_packets",
        (kind.IDLE_NOT_ZERO,),
        (leaf("own_data = data_i & {W{own}};", "own_data = data_i;"),),
    ),
    Faulty(
        "idle outputs claim packets",
        "N=8 TEST=single_packets",
        (kind.SPURIOUS,),
        (
            leaf("= down_data_i | (", "= {W{~valid_o}} | down_data_i | ("),
            datapath(".valid_o(valid_o[i])", ".valid_o()"),
            datapath("      wire loop;\n", "      wire loop;\n      assign valid_o[i] = 1'b1;\n"),
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
        (
            delay_line(
                "data_o = full_q ? ring[ptr_q]",
                "data_o = full_q || WIDTH == 33 ? ring[ptr_q] & {{(WIDTH-1){1'b1}}, full_q}",
            ),
        ),
    ),
    Faulty(
        "a counter is never reset",
        "N=8 TEST=frame",
        (kind.COUNTERS, kind.UNKNOWN),
        (counter("count_o <= rst ? {COUNT_W{FROM_END == 1}} : ", "count_o <= "),),
    ),
    stopped(
        "the upper half of a counter never moves",
        "N=8 TEST=messages COUNT_W=8",
        "a counter moved by more than it can",
        counter(
            "{COUNT_W{FROM_END == 1}} : count_o + sum",
            "{COUNT_W{FROM_END == 1}} : (count_o + sum) & {(COUNT_W/2){1'b1}}",
        ),
    ),
    stopped(
        "a counter is wrong in every second clock",
        "N=8 TEST=frame COUNT_W=8",
        "a counter moved by more than it can",
        tree(".count_o(injected_o)", ".count_o(counted)"),
        tree(
            "  genvar j;\n",
            "  wire [COUNT_W-1:0] counted;\n"
            "  reg odd_q;\n"
            "  always @(posedge clk) odd_q <= ~rst & ~odd_q;\n"
            "  assign injected_o = counted ^ {{(COUNT_W-1){1'b0}}, odd_q};\n"
            "  genvar j;\n",
        ),
    ),
    Faulty(
        "STATIC: wires of the upper half lead to the wrong node",
        "N=16 TEST=frame UPPER_HALF=STATIC",
        (kind.MISDELIVERED,),
        (datapath("OTHER = k ^ (g + 1);", "OTHER = (k + g + 1) % (1 << TOP);"),),
    ),
    Faulty(
        "loop-backs are dropped",
        "N=8 TEST=frame",
        (kind.LOST,),
        (leaf(".data_i({own_data, own})", ".data_i({(W+1){1'b0}})"),),
    ),
    Faulty(
        "a leaf that is idle loops back what its header says",
        "N=8 TEST=messages",
        (kind.SPURIOUS,),
        (leaf("own         = entering & (dst_i", "own         = (dst_i"),),
    ),
    Faulty(
        "the lowest bit of a leaf's words is the one that it has in most of them",
        "N=8 TEST=frame",
        (kind.CORRUPTED,),
        (leaf("up_data_o  = data_i &", "up_data_o  = (data_i | (number_i == 0)) &"),),
    ),
    Faulty(
        "a packet of zeros is taken for an idle slot",
        "N=8 TEST=payloads",
        (kind.LOST, kind.COUNTERS),
        (leaf("entering = valid_i & ~rst;", "entering = valid_i & ~rst & (data_i != 0);"),),
    ),
    Faulty(
        "a word of ones is taken for an idle output",
        "N=8 TEST=payloads",
        (kind.LOST, kind.COUNTERS),
        (leaf("= down_valid_i | looped;", "= (down_valid_i | looped) & ~(&data_o);"),),
    ),
    Faulty(
        "an output gives out a word that comes again but once",
        "N=8 TEST=payloads",
        (kind.LOST, kind.COUNTERS),
        (
            leaf(
                "assign valid_o    = down_valid_i | looped;",
                "reg [W:0] last_q;\n"
                "  always @(posedge clk) last_q <= {down_valid_i | looped, data_o};\n"
                "  assign valid_o = (down_valid_i | looped) & (last_q != {1'b1, data_o});",
            ),
        ),
    ),
    Faulty(
        "of more than 4 packets that a level loses at once 4 are counted",
        "N=16 TEST=crowds",
        (kind.CONFLICTS,),
        (counter("count_o + sum;", "count_o + (sum > 4 && TERM_W > 1 ? 4 : sum);"),),
    ),
    Faulty(
        "valid never rises",
        "N=8 TEST=frame",
        (kind.LOST,),
        (leaf("= down_valid_i | looped;", "= 1'b0;"),),
    ),
    *WIDE,
    kept_by_resets("lbbvn", "N=8 TEST=reset_in_frame", kind.CONFLICTS),
)
ON_VERILATOR = (ONE_LANE_TOO_FEW, *WIDE)
