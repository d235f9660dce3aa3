"""Faulty switches of the packet-switched fat-trees, and all their faulty designs."""

from fattree_bench.bench import faults as kind
from tests.tb.bench.wormhole.edits import (
    BLIND,
    TWO,
    arbiter,
    core,
    crossing,
    flipped,
    inputs,
    network,
    outputs,
    queues,
    to_leaf_0,
    to_leaves,
    vcs,
)
from tests.tb.families.xgft import (
    async_designs,
    exact_designs,
    state_designs,
)
from tests.tb.families.xgft import routing_designs as xgft_routing_designs
from tests.tb.families.xgft.routing_designs import EARLY, TURNED
from tests.tb.faults.faulty import Faulty, stopped

SWAPPED_VALID = to_leaves(
    "valid", "(valid & {LEAVES{2'b01}}) << 1 | (valid & {LEAVES{2'b10}}) >> 1"
)
SWAPPED_CREDITS = network(
    ".credit_i(credit_i)",
    ".credit_i((credit_i & {LEAVES{2'b01}}) << 1 | (credit_i & {LEAVES{2'b10}}) >> 1)",
)
UNFAIR_ROUND_ROBIN = Faulty(
    "round-robin arbiters that never move on: fixed priority",
    f"{TWO} VCS=1 TEST=fairness",
    (kind.UNFAIR,),
    (arbiter("else if (taken_i)\n          first_q", "else if (1'b0)\n          first_q"),),
)
LOST_TAIL = Faulty(
    "the tail of a packet to leaf 0 is lost",
    f"{TWO} TEST=uniform",
    (kind.LOST, kind.STUCK),
    to_leaf_0("flit[WIDTH] & ~flit[WIDTH+1]"),
)
DESIGNS = (
    *xgft_routing_designs.DESIGNS,
    *async_designs.DESIGNS,
    *exact_designs.DESIGNS,
    *state_designs.DESIGNS,
    # ---- credits and queues ----------------------------------------------------------------------
    Faulty(
        "a credit that comes while a flit goes is lost",
        f"{TWO} TEST=uniform",
        (kind.CREDITS,),
        (
            outputs("(credit_i[v] != send_i[v])", "(credit_i[v] | send_i[v])"),
            outputs("= credit_i[v] ? credit_q", "= (credit_i[v] & ~send_i[v]) ? credit_q"),
        ),
    ),
    Faulty(
        "no credit comes back when a full queue sends",
        f"{TWO} VCS=1 TEST=fairness",
        (kind.CREDITS,),
        (
            inputs(
                "always @(posedge clk) credit_o <= rst ? {VCS{1'b0}} : take_i;",
                "integer held; always @(posedge clk) held <= rst ? 0 : held + valid_i - take_i;\n"
                "  always @(posedge clk)"
                " credit_o <= (rst || held == DEPTH) ? {VCS{1'b0}} : take_i;",
            ),
        ),
    ),
    stopped(
        "a credit comes back twice for a tail",
        f"{TWO} TEST=uniform",
        "a credit came back twice",
        inputs(
            "always @(posedge clk) credit_o <= rst ? {VCS{1'b0}} : take_i;",
            "reg [VCS-1:0] again; always @(posedge clk) again <= rst ? 0 : take_i;\n"
            "  always @(posedge clk) credit_o <= rst ? {VCS{1'b0}} : take_i | again;",
        ),
    ),
    stopped(
        "the credits of a whole level come from one link",
        f"{TWO} TEST=uniform",
        "a credit came back twice",
        network("gen_level[l+1].up_credit [J*VCS +: VCS];", "gen_level[l+1].up_credit [0 +: VCS];"),
    ),
    stopped(
        "a flit may go when the first output port has a credit",
        f"{TWO} TEST=full_queues",
        "a flit was sent without a credit",
        crossing("|(credit_i[p*VCS +: VCS]", "|(credit_i[0 +: VCS]"),
    ),
    stopped(
        "one credit more than the queue has places",
        f"{TWO} TEST=full_queues",
        "a flit came to a full queue",
        outputs("localparam [31:0] FULL    = DEPTH;", "localparam [31:0] FULL    = DEPTH + 1;"),
    ),
    Faulty(
        "one credit less than the queue has places",
        f"{TWO} TEST=full_queues",
        (kind.DEPTH,),
        (outputs("localparam [31:0] FULL    = DEPTH;", "localparam [31:0] FULL    = DEPTH - 1;"),),
    ),
    stopped(
        "an empty queue has a flit to send",
        f"{TWO} TEST=uniform",
        "a flit left an empty queue",
        inputs("assign ready_o = present & (", "assign ready_o = ("),
    ),
    Faulty(
        "a flit inside a packet stays at the front, in the place of the next, when one comes",
        f"{TWO} TEST=back_pressure",
        (kind.DUPLICATED,),
        (
            queues(
                "front_o <= next_o;",
                "if (!valid_i || front_o[33:32] != 0 || next_o[33:32] != 0) front_o <= next_o;",
            ),
        ),
    ),
    stopped(
        "a queue is written as if its memory were a flit shorter",
        f"{TWO} TEST=uniform",
        "a flit came to a full queue",
        queues("(write_q == LAST)", "(write_q == LAST - 1'b1)"),
    ),
    stopped(
        "a queue is read as if its memory were a flit shorter",
        f"{TWO} TEST=single_packets",
        "no head at the front of a packet",
        queues("(read_q == LAST)", "(read_q == LAST - 1'b1)"),
    ),
    # ---- flits -----------------------------------------------------------------------------------
    LOST_TAIL,
    Faulty(
        "the head of a packet to leaf 0 is lost",
        f"{TWO} TEST=uniform",
        (kind.LOST, kind.STUCK),
        to_leaf_0("flit[WIDTH+1] & ~flit[WIDTH]"),
    ),
    stopped(
        "a flit is sent twice",
        f"{TWO} TEST=uniform",
        "a flit came without a head",
        outputs(
            "valid_o <= rst ? {VCS{1'b0}} : send_i;",
            "valid_o <= rst ? {VCS{1'b0}} : (send_i == 0) ? valid_o : send_i;",
        ),
    ),
    stopped(
        "a head behind a tail gets the route of the packet before it",
        f"{TWO} AHEAD=1 TEST=one_flit",
        EARLY,
        inputs("? next[HEADER_W-1:0]", "? front[HEADER_W-1:0]"),
    ),
    Faulty(
        "bit 3 of the flits behind a head is stuck at zero",
        f"{TWO} TEST=uniform",
        (kind.CORRUPTED,),
        (
            inputs(
                "assign flit_o[w*FLIT_W +: FLIT_W] = gen_vc[(w+1)*EACH-1].leaves;",
                "wire [FLIT_W-1:0] flit = gen_vc[(w+1)*EACH-1].leaves;\n"
                "assign flit_o[w*FLIT_W +: FLIT_W] = flit & ~(flit[WIDTH+1] ? 0 : 8);",
            ),
        ),
    ),
    Faulty(
        "a bit of one flit is flipped, of a head",
        f"{TWO} TEST=one_flit",
        (kind.CORRUPTED,),
        flipped(9),
    ),
    Faulty(
        "a bit of one flit is flipped, of a body",
        f"{TWO} TEST=uniform",
        (kind.CORRUPTED,),
        flipped(2),
    ),
    Faulty(
        "a flit of zeros is taken for an idle link",
        f"{TWO} TEST=payloads",
        (kind.CORRUPTED, kind.LOST),
        to_leaf_0("flit[WIDTH+1:0] == 0"),
    ),
    Faulty(
        "the memory of a queue is not written with the same flit again",
        f"{TWO} TEST=payloads",
        (kind.LOST, kind.CORRUPTED),
        (
            queues("if (valid_i && keep) ring", "if (valid_i && keep && flit_i != last_q) ring"),
            queues(
                "  assign more_o = more;",
                "  reg [FLIT_W-1:0] last_q;\n"
                "  always @(posedge clk) if (valid_i) last_q <= flit_i;\n"
                "  assign more_o = more;",
            ),
        ),
    ),
    Faulty(
        "the source in a head is damaged",
        f"{TWO} TEST=single_packets",
        (kind.CORRUPTED,),
        to_leaves("flit", "flits ^ (flits[WIDTH+1] << 2)"),
    ),
    Faulty(
        "the address in a head is damaged behind the last switch",
        f"{TWO} TEST=single_packets",
        (kind.CORRUPTED,),
        to_leaves("flit", "flits ^ flits[WIDTH+1]"),
    ),
    Faulty(
        "the mark of the tail is lost",
        f"{TWO} TEST=single_packets",
        (kind.MARKS,),
        to_leaves("flit", "flits & ~(1 << WIDTH)"),
    ),
    # ---- virtual channels ------------------------------------------------------------------------
    stopped(
        "the output drives the other virtual channel",
        f"{TWO} TEST=uniform",
        "a credit came back twice",
        *SWAPPED_VALID,
    ),
    Faulty(
        "the output drives the other virtual channel, and its credits",
        f"{TWO} CLASSES=2 TEST=uniform",
        (kind.CHANNEL,),
        (*SWAPPED_VALID, SWAPPED_CREDITS),
    ),
    Faulty(
        "CLASSES=2: requests and replies take each other's virtual channels",
        f"{TWO} CLASSES=2 TEST=request_reply",
        (kind.CHANNEL,),
        (vcs("(class_i[i] ? UPPER : LOWER)", "(class_i[i] ? LOWER : UPPER)"),),
    ),
    Faulty(
        "KEEP: a packet takes any virtual channel",
        f"{TWO} VC_MODE=KEEP TEST=uniform",
        (kind.CHANNEL,),
        (vcs('if (MODE == "KEEP")', 'if (MODE == "ANY")'),),
    ),
    stopped(
        "a virtual channel is given to a second packet",
        f"{TWO} VCS=1 TEST=uniform",
        "a virtual channel was given to two",
        core(".free_i(free_o),\n    .home_i", ".free_i({(OUTS*VCS){1'b1}}),\n    .home_i"),
    ),
    Faulty(
        "a virtual channel is given to a second packet, and the design does not see it",
        "NETWORK=kary K=3 LEVELS=1 VCS=1 TEST=uniform",
        (kind.INTERLEAVED,),
        (
            core(".free_i(free_o),\n    .home_i", ".free_i({(OUTS*VCS){1'b1}}),\n    .home_i"),
            *BLIND,
        ),
    ),
    stopped(
        "a virtual channel is given to a second packet, and only the switch behind sees it",
        f"{TWO} VCS=1 TEST=uniform",
        "a packet came inside another",
        core(".free_i(free_o),\n    .home_i", ".free_i({(OUTS*VCS){1'b1}}),\n    .home_i"),
        *BLIND,
    ),
    stopped(
        "a head sets its virtual channel free",
        f"{TWO} VCS=1 TEST=uniform",
        "a flit was sent in a virtual channel that no packet holds",
        outputs("{VCS{flit_i[TAIL]}}", "{VCS{flit_i[HEAD]}}"),
    ),
    Faulty(
        "one-flit packets do not give their virtual channel back",
        f"{TWO} TEST=one_flit STAGES=1",
        (kind.LOST, kind.STUCK),
        (outputs("(send_i & {VCS{flit_i[TAIL]}})", "(send_i & ~claim_i & {VCS{flit_i[TAIL]}})"),),
    ),
    stopped(
        "a packet of one flit keeps its output port: the next one follows it",
        f"{TWO} TEST=one_flit",
        "a flit was sent in a virtual channel that no packet holds",
        inputs("ends      = take_i & tail;", "ends      = take_i & tail & ~head;"),
    ),
    # ---- arbiters --------------------------------------------------------------------------------
    UNFAIR_ROUND_ROBIN,
    Faulty(
        "matrix arbiters that never change their order",
        f"{TWO} VCS=1 ARBITER=MATRIX TEST=fairness",
        (kind.UNFAIR,),
        (arbiter("else if (taken_i)\n            ahead_q", "else if (1'b0)\n            ahead_q"),),
    ),
    Faulty(
        "the arbiters of the virtual channels alone never move on",
        f"{TWO} TEST=fairness",
        (kind.UNFAIR,),
        (vcs(".taken_i(asked[g])", ".taken_i(1'b0)"),),
    ),
    Faulty(
        "who loses at an output port is dropped",
        f"{TWO} TEST=uniform",
        (kind.LOST, kind.STUCK),
        (crossing("take_o   = {INPUTS{1'b0}};", "take_o   = pick;"),),
    ),
    stopped(
        "two are granted at once",
        f"{TWO} VCS=1 TEST=uniform",
        "a flit was sent in a virtual channel that no packet holds",
        arbiter("grant_o = asked & (~asked + 1'b1);", "grant_o = asked;"),
    ),
    stopped(
        "an input port's ways pick a virtual channel that cannot send",
        f"{TWO} TEST=uniform",
        "a grant without a request",
        crossing(".request_i(able[g*EACH +: EACH])", ".request_i({EACH{|able[g*EACH +: EACH]}})"),
    ),
    stopped(
        "an output port takes a way that does not want it",
        f"{TWO} TEST=uniform",
        "a grant without a request",
        crossing(".request_i(request[g*LANES +: LANES])", ".request_i({LANES{enable_o[g]}})"),
    ),
    stopped(
        "a virtual channel goes to a packet that does not want it",
        f"{TWO} TEST=uniform",
        "a grant without a request",
        vcs(".request_i(request[g*INPUTS +: INPUTS])", ".request_i({INPUTS{asked[g]}})"),
    ),
    # ---- time ------------------------------------------------------------------------------------
    Faulty(
        "STAGES=2 takes three clocks",
        f"{TWO} STAGES=2 TEST=single_packets",
        (kind.LATE,),
        (inputs("want_o  = (STAGES < 3)", "want_o  = (STAGES < 2)"),),
    ),
    Faulty(
        "STAGES=2 takes one clock",
        f"{TWO} STAGES=2 TEST=single_packets",
        (kind.EARLY,),
        (
            inputs("(STAGES == 1) ? active_q", "(STAGES <= 2) ? active_q"),
            inputs("(STAGES == 1 && grant_i[v])", "(STAGES <= 2 && grant_i[v])"),
        ),
    ),
    # ---- reset -----------------------------------------------------------------------------------
    Faulty(
        "a reset leaves virtual channels in the hands of packets that are gone",
        f"{TWO} TEST=reset",
        (kind.LOST, kind.CREDITS),
        (
            outputs("busy_q <= rst ? {VCS{1'b0}} : (busy_q", "busy_q <= (busy_q"),
            outputs("reg [VCS-1:0] busy_q;", "reg [VCS-1:0] busy_q = 0;"),
        ),
    ),
    stopped(
        "a reset leaves flits in the queues",
        f"{TWO} TEST=reset",
        "no head at the front of a packet",
        queues("      present_o <= 1'b0;\n", ""),
        queues(
            "always @(posedge clk)\n    if (valid_i &&",
            "initial present_o = 1'b0;\n  always @(posedge clk)\n    if (valid_i &&",
        ),
    ),
    stopped(
        "a reset does not bring the credits back",
        f"{TWO} TEST=reset",
        "a credit came back twice",
        outputs(
            "credit_q   <= FULL[COUNT_W-1:0];",
            "if (credit_q[0] === 1'bx) credit_q <= FULL[COUNT_W-1:0];",
        ),
    ),
)

# Of each way to see a fault one: flits that are missing, a check of the design, a promise.
ON_VERILATOR = (LOST_TAIL, TURNED, UNFAIR_ROUND_ROBIN, *exact_designs.ON_VERILATOR)
