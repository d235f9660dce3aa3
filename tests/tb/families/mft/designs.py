"""Faulty modified fat-trees: wiring, intervals, up links, lanes, FIFOs, clients."""

from fattree_bench.bench import faults as kind
from tests.tb.families.mft.edits import client, climb, fabric, fifo, lanes, network, router
from tests.tb.faults.faulty import Faulty, kept_by_resets, stopped, wide_counters

FOUR, EIGHT = "NETWORK=mft N=4", "NETWORK=mft N=8"
DOUBLED = f"{EIGHT} LANES=DOUBLING MODE=MFT"
SHALLOW = f"{FOUR} FIFO=20"
HELD_UP = "a packet is held up while it leaves"
LAST_LANE = """
      = passes[COUNT-1] ? ~passes & (passes + 1'b1) : {COUNT{1'b1}} ^ ({COUNT{1'b1}} >> 1);"""
MANY = """
      reg [7:0] many;
      integer   x;
      always @* begin
        many = 0;
        for (x = 0; x < COLUMNS * 2 * (ABOVE + 1); x = x + 1) many = many + lost[x];
      end
      event_counter #("""
WIDE = wide_counters("mft", f"{SHALLOW} TEST=hot_spot", kind.OVERFLOW, kind.OVERFLOW)


def sends(name: str, rule: str, new: str, old: str = "flit_i(flit_i)\n") -> Faulty:
    """Clients that break the contract, as the checks of what they send see them."""
    return stopped(f"MFT: {name}", f"{FOUR} TEST=hot_spot", rule, network(old, new))


DESIGNS = (
    # ---- clients that break the contract ---------------------------------------------------------
    sends(
        "a client sends a packet without its bodies",
        "a client leaves a gap in a packet",
        "valid_i({valid_i[N-1:1], valid_i[0] & |flit_i[WIDTH +: 2]}), .flit_i(flit_i)\n",
        "valid_i(valid_i), .flit_i(flit_i)\n",
    ),
    sends(
        "a client sends packets without heads",
        "a client sends a flit without a head",
        "flit_i(flit_i & {N{1'b0, {(FLIT_W-1){1'b1}}}})\n",
    ),
    sends(
        "a client sends heads for bodies",
        "a client sends a packet inside another",
        "flit_i(flit_i | {N{1'b1, {(FLIT_W-1){1'b0}}}})\n",
    ),
    sends(
        "client 0 is sent what others are to get",
        "a client sends to itself",
        "flit_i(flit_i & {N{{(FLIT_W-N_LOG){1'b1}}, {N_LOG{1'b0}}}})\n",
    ),
    sends(
        "a client sends packets for which no FIFO makes room",
        "a client sends a packet longer than ROOM",
        ".ROOM(ROOM - 1)) u_departures",
        ".ROOM(ROOM)) u_departures",
    ),
    # ---- wiring ----------------------------------------------------------------------------------
    Faulty(
        "MFT: the lanes of two parents are swapped",
        f"{FOUR} TEST=single_packets",
        (kind.ROUTE,),
        (fabric("localparam PARENT = c ^ (k << r);", "localparam PARENT = c ^ ((1 - k) << r);"),),
    ),
    Faulty(
        "MFT: two lanes of a client are swapped",
        f"{FOUR} TEST=single_packets",
        (kind.ROUTE,),
        (
            network(
                ".valid_i(lane_valid[c*ENTRIES +: ENTRIES])",
                ".valid_i({lane_valid[c*ENTRIES], lane_valid[c*ENTRIES+1], "
                "lane_valid[c*ENTRIES+2 +: ENTRIES-2]})",
            ),
            network(
                ".flit_i(lane_flit[c*ENTRIES*FLIT_W +: ENTRIES*FLIT_W])",
                ".flit_i({lane_flit[c*ENTRIES*FLIT_W +: FLIT_W], "
                "lane_flit[(c*ENTRIES+1)*FLIT_W +: FLIT_W], "
                "lane_flit[(c*ENTRIES+2)*FLIT_W +: (ENTRIES-2)*FLIT_W]})",
            ),
        ),
    ),
    Faulty(
        "MFT: the two up links of a router change places",
        f"{EIGHT} TEST=single_packets",
        (kind.ROUTE,),
        (fabric("(BIT ^ k);", "(1 - (BIT ^ k));"),),
    ),
    Faulty(
        "MFT: a router has a register more",
        f"{FOUR} TEST=single_packets",
        (kind.LATE,),
        (router(".DEPTH(PIPELINE)", ".DEPTH(PIPELINE + 1)", 2),),
    ),
    Faulty(
        "MFT: a router has a register less",
        f"{FOUR} PIPELINE=2 TEST=single_packets",
        (kind.EARLY,),
        (router(".DEPTH(PIPELINE)", ".DEPTH(PIPELINE - 1)", 2),),
    ),
    # ---- intervals -------------------------------------------------------------------------------
    Faulty(
        "MFT: left and right are swapped on the way down",
        f"{EIGHT} TEST=single_packets",
        (kind.MISDELIVERED,),
        (router("? down_flit_i[j*FLIT_W + ROW]", "? ~down_flit_i[j*FLIT_W + ROW]"),),
    ),
    stopped(
        "MFT: a packet turns by the wrong interval",
        f"{EIGHT} TEST=single_packets",
        "a packet turns to the side that it came from",
        router("(column_i >> ROW));", "(column_i >> (ROW + 1) << 1));"),
    ),
    stopped(
        "MFT: packets turn at the top alone",
        f"{FOUR} TEST=single_packets",
        "a packet turns to the side that it came from",
        router("(column_i >> ROW));", "(column_i >> ROW)) && ROW == ADDR_W - 1;"),
    ),
    stopped(
        "MFT: a body turns although its head climbs",
        f"{FOUR} TEST=single_packets",
        HELD_UP,
        router("head ? here : turns_q[q];", "head ? here : 1'b1;"),
    ),
    stopped(
        "MFT: a client shows the FIFOs of its neighbour",
        f"{FOUR} TEST=single_packets",
        "a flit leaves a FIFO that is shown to hold none",
        network("(holds_o[c*ENTRIES +: ENTRIES])", "(holds_o[(c^1)*ENTRIES +: ENTRIES])"),
    ),
    # ---- up links --------------------------------------------------------------------------------
    Faulty(
        "MFT: order broken, an IMFT climbs as an MFT does",
        f"{EIGHT} TEST=uniform",
        (kind.ROUTE, kind.REORDERED),
        (climb('if (MODE == "MFT") begin', 'if (MODE != "NONE") begin'),),
    ),
    Faulty(
        "MFT: of two heads that of port 1 chooses first",
        f"{EIGHT} MODE=MFT TEST=uniform",
        (kind.ROUTE,),
        (
            climb("? valid_i[1] & ~head[1] & ~link_q[1] :", "? valid_i[1] & ~second :"),
            climb("? valid_i[0] & ~first :", "? valid_i[0] & ~head[0] & ~link_q[0] :"),
        ),
    ),
    stopped(
        "MFT: a head does not look who holds link 0",
        f"{FOUR} MODE=MFT TEST=uniform",
        "two climbing packets took one link",
        climb("? valid_i[1] & ~head[1] & ~link_q[1] :", "? 1'b0 :"),
    ),
    # ---- doubled lanes ---------------------------------------------------------------------------
    Faulty(
        "MFT: a packet that turns takes the last lane if it is free",
        f"{DOUBLED} TEST=uniform",
        (kind.ROUTE,),
        (lanes("= ~passes & (passes + 1'b1);", LAST_LANE),),
    ),
    Faulty(
        "MFT: packets lost in routers are not counted",
        f"{DOUBLED} TEST=needed_lanes",
        (kind.CONFLICTS,),
        (lanes("turn_valid_i & turn_head & (lowest == {COUNT{1'b0}}),", "1'b0,"),),
    ),
    Faulty(
        "MFT: losses are not counted in clocks with more than three",
        "NETWORK=mft N=4 LANES=DOUBLING TEST=crowds",
        (kind.CONFLICTS,),
        (
            fabric("      event_counter #(", MANY),
            fabric(".terms_i(lost)", ".terms_i(many > 3 ? 0 : lost)"),
        ),
    ),
    Faulty(
        "MFT: of a packet that finds its lane held the body goes on",
        f"{DOUBLED} TEST=bursts,uniform",
        (kind.LATE, kind.MISDELIVERED, kind.UNPREDICTED),
        (lanes("? held[j] : lost_q[j];", "? held[j] : 1'b0;"),),
    ),
    # ---- FIFOs -----------------------------------------------------------------------------------
    Faulty(
        "MFT: a flit of zeros is not written into a FIFO",
        f"{FOUR} TEST=payloads",
        (kind.LOST, kind.STUCK),
        (fifo(".write_i(enter)", ".write_i(enter & (flit_i != 0))"),),
    ),
    Faulty(
        "MFT: FIFO overflow is not counted",
        f"{SHALLOW} TEST=hot_spot",
        (kind.OVERFLOW,),
        (fifo("overflow_o = valid_i & head & ~fits;", "overflow_o = 1'b0;"),),
    ),
    Faulty(
        "MFT: a FIFO takes a flit less",
        f"{SHALLOW} TEST=full_fifo",
        (kind.LOST, kind.STUCK),
        (fifo("(count_q <= MOST[", "(count_q < MOST["),),
    ),
    Faulty(
        "MFT: a FIFO takes a flit more",
        f"{SHALLOW} TEST=full_fifo",
        (kind.UNPREDICTED, kind.OVERFLOW),
        (fifo("FIFO - ROOM;", "FIFO - ROOM + 1;"),),
    ),
    stopped(
        "MFT: a FIFO keeps the body of a packet that it has no room for",
        f"{SHALLOW} TEST=hot_spot",
        HELD_UP,
        fifo("(head ? fits : open_q)", "(head ? fits : count_q != FIFO[COUNT_W-1:0])"),
    ),
    stopped(
        "MFT: a reset leaves flits in FIFOs",
        f"{FOUR} TEST=reset",
        HELD_UP,
        fifo("      count_q <= {COUNT_W{1'b0}};\n", ""),
        fifo("reg  [COUNT_W-1:0] count_q;", "reg  [COUNT_W-1:0] count_q = 0;"),
    ),
    stopped(
        "MFT: a FIFO takes whatever comes",
        f"{SHALLOW} TEST=hot_spot",
        "a FIFO takes a flit without room",
        fifo("(count_q <= MOST[COUNT_W-1:0]);", "1'b1;"),
    ),
    # ---- clients ---------------------------------------------------------------------------------
    Faulty(
        "MFT: the round robin of a client stands still",
        f"{FOUR} TEST=hot_spot",
        (kind.LATE, kind.EARLY),
        (client(".taken_i(between & valid_o)", ".taken_i(1'b0)"),),
    ),
    Faulty(
        "MFT: a client is idle behind every packet",
        f"{FOUR} TEST=hot_spot",
        (kind.LATE,),
        (
            client(
                "  wire [COUNT-1:0]        serves ", "  reg idle_q;\n  wire [COUNT-1:0] serves "
            ),
            client("= between ? chosen :", "= idle_q ? {COUNT{1'b0}} : between ? chosen :"),
            client(
                "  integer i;",
                "  always @(posedge clk) idle_q <= ~rst & valid_o & flit_o[TAIL];\n  integer i;",
            ),
        ),
    ),
    Faulty(
        "MFT: a client changes the lane in the middle of a packet",
        f"{FOUR} TEST=hot_spot",
        (kind.INTERLEAVED,),
        (client("flit_o[TAIL] ? {COUNT{1'b0}} : serves;", "{COUNT{1'b0}};"),),
    ),
    stopped(
        "MFT: a client tells the wrong lane",
        f"{FOUR} TEST=single_packets",
        "a flit leaves a FIFO that is shown to hold none",
        client("lane_o = i[LANE_W-1:0];", "lane_o = ~i[LANE_W-1:0];"),
    ),
    stopped(
        "MFT: the last flit of a FIFO waits for another",
        f"{FOUR} TEST=hot_spot",
        HELD_UP,
        fifo("(count_q != {COUNT_W{1'b0}});", "(count_q > 1);"),
    ),
    stopped(
        "MFT: a FIFO is read as if it were a flit shorter",
        f"{SHALLOW} TEST=hot_spot",
        HELD_UP,
        fifo("(first_q == END[PLACE_W-1:0])", "(first_q == END[PLACE_W-1:0] - 1'b1)"),
    ),
    Faulty(
        "MFT: a FIFO is written as if it were a flit shorter",
        f"{SHALLOW} TEST=hot_spot",
        (kind.LOST, kind.CORRUPTED),
        (fifo("(next_q == END[PLACE_W-1:0])", "(next_q == END[PLACE_W-1:0] - 1'b1)"),),
    ),
    *WIDE,
    kept_by_resets("mft", f"{SHALLOW} TEST=reset", kind.COUNTERS),
)
ON_VERILATOR = WIDE
