"""Sound networks that are slower, less fair or less clever than they say: all packets arrive.

The clock-exact model alone sees them.
"""

from fattree_bench.bench import faults as kind
from tests.tb.bench.wormhole.edits import arbiter, crossing, inputs, outputs, random, route, vcs
from tests.tb.faults.faulty import Edit, Faulty

FOUR = "NETWORK=kary K=2 LEVELS=2 TEST=uniform"
SWEPT = "NETWORK=kary K=2 LEVELS=2 TEST=sweep LOADS=0.6:0.95:0.05 WARMUP=1 PERIODS=1 PERIOD=60"
DRAWS = f"{FOUR} ROUTING=RANDOM"
ROOMS = f"{FOUR} ROUTING=ADAPTIVE"


def differs(name: str, variables: str, *edits: Edit) -> Faulty:
    """A network that the model tells from what it says."""
    return Faulty(name, variables, (kind.LINK,), edits)


LATE_CREDITS = differs(
    "credits come back one clock late",
    FOUR,
    inputs(
        "always @(posedge clk) credit_o <= rst ? {VCS{1'b0}} : take_i;",
        "reg [VCS-1:0] late; always @(posedge clk) late <= rst ? {VCS{1'b0}} : take_i;\n"
        "  always @(posedge clk) credit_o <= rst ? {VCS{1'b0}} : late;",
    ),
)
THREE_TO_ONE = differs(
    "one of two parents is drawn three times as often",
    DRAWS,
    route(
        "one    = ({16'd0, random_i} * PARENTS) >> 16;",
        "one    = (random_i[15:14] == 2'd0) ? 32'd0 : PARENTS - 1;",
    ),
)
DESIGNS = (
    # ---- time ------------------------------------------------------------------------------------
    LATE_CREDITS,
    differs(
        "a virtual channel is free one clock after its tail has left",
        FOUR,
        outputs(
            "assign free_o = ~busy_q;",
            "reg [VCS-1:0] held_q; always @(posedge clk) held_q <= busy_q;\n"
            "  assign free_o = ~(busy_q | held_q);",
        ),
    ),
    differs(
        "an input port whose virtual channel has sent idles before another one sends",
        FOUR,
        crossing(
            ".request_i(able[g*EACH +: EACH]), .taken_i(granted[g]),",
            ".request_i(able[g*EACH +: EACH] & (moved == {EACH{1'b0}} ? {EACH{1'b1}} : moved)),\n"
            "        .taken_i(granted[g]),",
        ),
        crossing(
            "      arbiter #(.R(EACH), .KIND(ARBITER)) u_input (",
            "      reg [EACH-1:0] moved;\n"
            "      always @(posedge clk)\n"
            "        moved <= (rst || !granted[g]) ? {EACH{1'b0}} : pick[g*EACH +: EACH];\n"
            "      arbiter #(.R(EACH), .KIND(ARBITER)) u_input (",
        ),
    ),
    # ---- arbiters --------------------------------------------------------------------------------
    differs(
        "an arbiter whose pointer stands still",
        FOUR,
        arbiter("else if (taken_i)\n          first_q", "else if (1'b0)\n          first_q"),
    ),
    differs(
        "an arbiter whose pointer moves although nobody used the grant",
        FOUR,
        arbiter(
            "else if (taken_i)\n          first_q",
            "else if (request_i != {R{1'b0}})\n          first_q",
        ),
    ),
    differs(
        "a pointer that a reset does not bring back",
        "NETWORK=kary K=2 LEVELS=2 TEST=reset",
        arbiter(
            "if (rst)\n          first_q", "if (rst && first_q === {R{1'bx}})\n          first_q"
        ),
    ),
    differs(
        "a matrix arbiter that forgets who else was waiting",
        f"{FOUR} ARBITER=MATRIX",
        arbiter(
            "grant_o[k] ? ~grant_o : ahead_q[k*R +: R] & ~grant_o;",
            "grant_o[k] ? ~grant_o : ~grant_o & ~({R{1'b1}} << k);",
        ),
    ),
    # ---- virtual channels ------------------------------------------------------------------------
    differs(
        "a virtual channel whose other end is empty is not preferred",
        f"{FOUR} VCS=3",
        vcs("if (empty != {VCS{1'b0}}) open = empty;", "if (1'b0) open = empty;"),
    ),
    differs(
        "the highest virtual channel is given, not the lowest",
        FOUR,
        vcs(
            "vc_o[i*VCS +: VCS]    = open & (~open + 1'b1);",
            "vc_o[i*VCS +: VCS]    = open[VCS-1] ? ~(ANY >> 1) : open & (~open + 1'b1);",
        ),
    ),
    # ---- choices ---------------------------------------------------------------------------------
    differs(
        "adaptive routing that does not look at the room",
        ROOMS,
        route(
            "if (room_i[one*ROOM_W +: ROOM_W] > most) begin",
            "if (1'b0) begin",
        ),
    ),
    differs(
        "the room of a port does not count a free virtual channel",
        f"{SWEPT} ROUTING=ADAPTIVE",
        outputs("(free_o == {VCS{1'b0}}) ? {ROOM_W{1'b0}} : FULL[ROOM_W-1:0]", "{ROOM_W{1'b0}}"),
    ),
    THREE_TO_ONE,
    differs(
        "generators that stand still after 3,000 clocks",
        "NETWORK=kary K=2 LEVELS=2 ROUTING=RANDOM TEST=traffic",
        random(
            "random_q <= !rst ? next :",
            "begin count_q <= rst ? 12'd0 : count_q + (count_q < 12'd3000);\n"
            "    random_q <= !rst ? ((count_q < 12'd3000) ? next : random_q) :",
        ),
        random("32'd1 : seed;", "32'd1 : seed; end"),
        random("reg [31:0] random_q;", "reg [31:0] random_q; reg [11:0] count_q;"),
    ),
    differs(
        "all switches of a network draw the same numbers",
        DRAWS,
        random("({16'd0, number_i} + 32'd1)", "32'd1"),
    ),
    differs(
        "a generator that forgets what it is seeded with",
        DRAWS,
        random("(seed == 32'd0) ? 32'd1 : seed;", "32'd1;"),
    ),
)
ON_VERILATOR = (LATE_CREDITS, THREE_TO_ONE)
