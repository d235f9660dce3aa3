"""Faulty designs of the packet-switched fat-trees."""

from tb.env import faults as kind
from tests.faults.faulty import STOPPED, Edit, Faulty

# Small networks on which Icarus needs a few seconds.
TWO = "NETWORK=kary K=2 LEVELS=2"  # 4 leaves
THREE = "NETWORK=kary K=2 LEVELS=3"  # 8 leaves
TABLES = "NETWORK=ftree_mn PORTS=4 LEVELS=2 ROUTING=MLID"  # 8 leaves, 2 addresses each


def route(old: str, new: str, times: int = 1) -> Edit:
    return Edit("xgft/xgft_route.v", old, new, times)


def inputs(old: str, new: str, times: int = 1) -> Edit:
    return Edit("xgft/xgft_input_unit.v", old, new, times)


def outputs(old: str, new: str, times: int = 1) -> Edit:
    return Edit("xgft/xgft_output_unit.v", old, new, times)


def switch(old: str, new: str, times: int = 1) -> Edit:
    return Edit("xgft/xgft_switch.v", old, new, times)


def network(old: str, new: str, times: int = 1) -> Edit:
    return Edit("xgft/xgft_network.v", old, new, times)


def vcs(old: str, new: str, times: int = 1) -> Edit:
    return Edit("xgft/xgft_vc_allocator.v", old, new, times)


def crossing(old: str, new: str, times: int = 1) -> Edit:
    return Edit("xgft/xgft_switch_allocator.v", old, new, times)


def table(old: str, new: str, times: int = 1) -> Edit:
    return Edit("xgft/xgft_table.v", old, new, times)


def arbiter(old: str, new: str, times: int = 1) -> Edit:
    return Edit("common/arbiter.v", old, new, times)


# The output unit's checks of who holds a virtual channel: blind, so that the bench must see it.
BLIND = (
    outputs("(claim_i & busy_q) == {CREDITS{1'b0}}", "1'b1"),
    outputs("(send_i & ~busy_q & ~claim_i) == {CREDITS{1'b0}}", "1'b1"),
)


def stopped(name: str, variables: str, rule: str, *edits: Edit) -> Faulty:
    """A design that a check of its own stops."""
    return Faulty(name, variables, (STOPPED,), edits, rule)


def to_leaf_0(what: str) -> Edit:
    """Flits to leaf 0 for which `what` holds are lost on its link; `flit` is the flit."""
    return network(
        "assign valid_o     = down_valid;",
        "wire [FLIT_W-1:0] flit = down_flit[0 +: FLIT_W];\n"
        "wire [BELOW*VCS-1:0] gone;\n"
        f"assign gone = {{{{(BELOW*VCS-VCS){{1'b0}}}}, {{VCS{{{what}}}}}}};\n"
        "assign valid_o = down_valid & ~gone;",
    )


SWAPPED_VALID = network(
    "assign valid_o     = down_valid;",
    "assign valid_o = (down_valid & {BELOW{2'b01}}) << 1 | (down_valid & {BELOW{2'b10}}) >> 1;",
)
SWAPPED_CREDITS = network(
    "assign down_credit = credit_i;",
    "assign down_credit = (credit_i & {BELOW{2'b01}}) << 1 | (credit_i & {BELOW{2'b10}}) >> 1;",
)
UNFAIR_ROUND_ROBIN = Faulty(
    "round-robin arbiters that never move on: fixed priority",
    f"{TWO} VCS=1 TEST=fairness",
    (kind.UNFAIR,),
    (arbiter("if (taken_i[k]) first[k*R +: R]", "if (1'b0) first[k*R +: R]"),),
)
LOST_TAIL = Faulty(
    "the tail of a packet to leaf 0 is lost",
    f"{TWO} TEST=uniform",
    (kind.LOST, kind.STUCK),
    (to_leaf_0("flit[WIDTH] & ~flit[WIDTH+1]"),),
)
TURNED = stopped(
    "a packet from above is sent up again",
    f"{TWO} TEST=single_packets",
    "a packet turned up after it went down",
    route(
        ": (destination / BELOW != s / SPREAD);",
        ": (destination / BELOW != s / SPREAD || i % INPUTS >= DOWN * VCS);",
    ),
)

DESIGNS = (
    # ---- routes ----------------------------------------------------------------------------------
    TURNED,
    Faulty(
        "packets go down to the next child",
        "NETWORK=kary K=3 LEVELS=1 TEST=single_packets",
        (kind.MISDELIVERED,),
        (
            route(
                "port = (destination / CHILD) % DOWN;", "port = (destination / CHILD + 1) % DOWN;"
            ),
        ),
    ),
    stopped(
        "the wrong digit of the destination above level 2: right while there are two levels",
        f"{THREE} TEST=single_packets",
        "a packet turned up after it went down",
        route(
            "localparam CHILD   = BELOW / DOWN;",
            "localparam CHILD   = (BELOW > DOWN) ? DOWN : 1;",
        ),
    ),
    Faulty(
        "D-mod-k without the division: the same digit at every level",
        f"{THREE} TEST=single_packets",
        (kind.ROUTE,),
        (route("parent = (destination / SPREAD) % PARENTS;", "parent = destination % PARENTS;"),),
    ),
    Faulty(
        "D-mod-k divides by the parents of the level above",
        "NETWORK=xgft M=2,2,2 W=1,3,2 TEST=single_packets",
        (kind.ROUTE,),
        (
            route(
                "parent = (destination / SPREAD) % PARENTS;",
                "parent = (destination / (SPREAD * PARENTS)) % PARENTS;",
            ),
        ),
    ),
    Faulty(
        "D-mod-k looks at the source",
        f"{TWO} TEST=single_packets",
        (kind.ROUTE,),
        (route("parent = (destination / SPREAD)", "parent = (source / SPREAD)"),),
    ),
    Faulty(
        "CLIMB=TOP: packets turn at the nearest common ancestor",
        f"{TWO} CLIMB=TOP TEST=single_packets",
        (kind.ROUTE,),
        (
            route(
                '(CLIMB == "TOP") ? (i % INPUTS < DOWN * VCS)',
                '(CLIMB == "TOP" && UP == 0) ? (i % INPUTS < DOWN * VCS)',
            ),
        ),
    ),
    Faulty(
        "packets climb to the top although they could turn before",
        f"{TWO} TEST=single_packets",
        (kind.ROUTE,),
        (route('(CLIMB == "TOP") ?', '(CLIMB == "NCA") ?'),),
    ),
    Faulty(
        "RANDOM: the random numbers stand still",
        f"{TWO} ROUTING=RANDOM TEST=free_choice",
        (kind.UNEVEN,),
        (switch("rst ? seed : xorshift32(random_q[s*32 +: 32])", "seed"),),
    ),
    Faulty(
        "ADAPTIVE: always the first parent",
        f"{TWO} ROUTING=ADAPTIVE TEST=free_choice",
        (kind.UNEVEN,),
        (route("port  = DOWN + parent(destination, source, noise[15:0], rooms);", "port = DOWN;"),),
    ),
    Faulty(
        "ADAPTIVE: ties go to the first parent",
        f"{TWO} ROUTING=ADAPTIVE TEST=free_choice",
        (kind.UNEVEN,),
        (
            route(
                "one    = ({16'd0, noise} * PARENTS) >> 16;",
                'one    = (ROUTING == "ADAPTIVE") ? 0 : ({16\'d0, noise} * PARENTS) >> 16;',
            ),
        ),
    ),
    Faulty(
        "ADAPTIVE: the parent with least room",
        f"{TWO} ROUTING=ADAPTIVE TEST=free_choice",
        (kind.UNEVEN,),
        (
            route(
                "if (rooms[one*ROOM_W +: ROOM_W] > most)", "if (rooms[one*ROOM_W +: ROOM_W] < most)"
            ),
        ),
    ),
    Faulty(
        "TWO: the fuller one of two",
        f"{TWO} ROUTING=TWO TEST=free_choice VCS=1",
        (kind.UNEVEN,),
        (
            route(
                "(rooms[two*ROOM_W +: ROOM_W] > most) ? two : one",
                "(rooms[two*ROOM_W +: ROOM_W] < most) ? two : one",
            ),
        ),
    ),
    stopped(
        "the links to the children of upper switches are swapped",
        f"{THREE} TEST=single_packets",
        "a packet turned up after it went down",
        network(
            "localparam A      = CHILD / LOW % m(l + 1);",
            "localparam A      = m(l + 1) - 1 - CHILD / LOW % m(l + 1);",
        ),
    ),
    Faulty(
        "the list of hops says the port below",
        f"{TWO} TEST=single_packets",
        (kind.ROUTE,),
        (outputs("hop  = g % PORTS + 1;", "hop  = (g + 1) % PORTS + 1;"),),
    ),
    # ---- forwarding tables -----------------------------------------------------------------------
    Faulty(
        "an entry of a table is written to the address beside it",
        f"{TABLES} TEST=single_packets",
        (kind.ROUTE,),
        (table("row[address_i] <= entry_i;", "row[address_i ^ 1] <= entry_i;"),),
    ),
    stopped(
        "an entry of a table is written to the switch beside it",
        f"{TABLES} TEST=single_packets",
        "a packet turned up after it went down",
        network("entries_i[(NUMBER+s)*ENTRY_W", "entries_i[(NUMBER+(s^1))*ENTRY_W"),
    ),
    stopped(
        "a table sends packets from above up again: a loop",
        f"{TABLES} TEST=single_packets",
        "a packet turned up after it went down",
        table("row[address_i] <= entry_i;", "row[address_i] <= entry_i | (address_i == 0) << 1;"),
    ),
    stopped(
        "a table names a port that is not there",
        "NETWORK=xgft M=3,2 W=1,2 ROUTING=OPENSM TEST=single_packets",
        "a packet was sent to a port that is not there",
        table("row[address_i] <= entry_i;", "row[address_i] <= {(SWITCHES*PORT_W){1'b1}};"),
    ),
    # ---- credits and queues ----------------------------------------------------------------------
    Faulty(
        "a credit that comes while a flit goes is lost",
        f"{TWO} TEST=uniform",
        (kind.CREDITS,),
        (
            outputs("if (credit_i[i] != send_i[i]) begin", "if (credit_i[i] | send_i[i]) begin"),
            outputs("n = credit_i[i] ? n + 1'b1", "n = (credit_i[i] & ~send_i[i]) ? n + 1'b1"),
        ),
    ),
    Faulty(
        "no credit comes back when a full queue sends",
        f"{TWO} TEST=fairness",
        (kind.CREDITS,),
        (inputs("{QUEUES{1'b0}} : take_i;", "{QUEUES{1'b0}} : take_i & ~full_q;"),),
    ),
    stopped(
        "a credit comes back twice for a tail",
        f"{TWO} TEST=uniform",
        "a credit came back twice",
        inputs(
            "always @(posedge clk) credit_o <= rst ? {QUEUES{1'b0}} : take_i;",
            "reg [QUEUES-1:0] again; always @(posedge clk) again <= rst ? 0 : take_i;\n"
            "  always @(posedge clk) credit_o <= rst ? {QUEUES{1'b0}} : take_i | again;",
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
        crossing("|(credit[p*VCS +: VCS]", "|(credit[0 +: VCS]"),
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
    Faulty(
        "the ring of a queue reaches into the next one",
        f"{TWO} TEST=back_pressure",
        (kind.DUPLICATED,),
        (inputs("(place >= DEPTH) ? place - DEPTH", "(place > DEPTH) ? place - DEPTH"),),
    ),
    # ---- flits -----------------------------------------------------------------------------------
    LOST_TAIL,
    Faulty(
        "the head of a packet to leaf 0 is lost",
        f"{TWO} TEST=uniform",
        (kind.LOST, kind.STUCK),
        (to_leaf_0("flit[WIDTH+1] & ~flit[WIDTH]"),),
    ),
    stopped(
        "a flit is sent twice",
        f"{TWO} TEST=uniform",
        "a flit came without a head",
        outputs(
            "valid_o <= rst ? {CREDITS{1'b0}} : send_i;",
            "valid_o <= rst ? {CREDITS{1'b0}} : (send_i == 0) ? valid_o : send_i;",
        ),
    ),
    Faulty(
        "bit 3 of the flits behind a head is stuck at zero",
        f"{TWO} TEST=uniform",
        (kind.SPURIOUS, kind.STUCK),
        (
            inputs(
                "front_q[f*FLIT_W +: FLIT_W];\n  end\n\n  always",
                "front_q[f*FLIT_W +: FLIT_W]"
                " & ~(front_q[f*FLIT_W + HEAD] ? 0 : 8);\n  end\n\n  always",
            ),
        ),
    ),
    Faulty(
        "the source in a head is damaged",
        f"{TWO} TEST=single_packets",
        (kind.SPURIOUS,),
        (
            network(
                "assign flit_o      = down_flit;",
                "assign flit_o      = down_flit ^ (down_flit[WIDTH+1] << 2);",
            ),
        ),
    ),
    Faulty(
        "the address in a head is damaged behind the last switch",
        f"{TWO} TEST=single_packets",
        (kind.SPURIOUS,),
        (
            network(
                "assign flit_o      = down_flit;",
                "assign flit_o      = down_flit ^ down_flit[WIDTH+1];",
            ),
        ),
    ),
    Faulty(
        "the mark of the tail is lost",
        f"{TWO} TEST=single_packets",
        (kind.MARKS,),
        (
            network(
                "assign flit_o      = down_flit;", "assign flit_o      = down_flit & ~(1 << WIDTH);"
            ),
        ),
    ),
    # ---- virtual channels ------------------------------------------------------------------------
    stopped(
        "the output drives the other virtual channel",
        f"{TWO} TEST=uniform",
        "a credit came back twice",
        SWAPPED_VALID,
    ),
    Faulty(
        "the output drives the other virtual channel, and its credits",
        f"{TWO} CLASSES=2 TEST=uniform",
        (kind.CHANNEL,),
        (SWAPPED_VALID, SWAPPED_CREDITS),
    ),
    Faulty(
        "CLASSES=2: replies take the virtual channels of requests",
        f"{TWO} CLASSES=2 TEST=request_reply",
        (kind.CHANNEL,),
        (vcs("(reply[i] ? UPPER : LOWER)", "(reply[i] ? ANY : LOWER)"),),
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
        switch(".free_i(free)", ".free_i({ALL{1'b1}})"),
    ),
    Faulty(
        "a virtual channel is given to a second packet, and the design does not see it",
        "NETWORK=kary K=3 LEVELS=1 VCS=1 TEST=uniform",
        (kind.INTERLEAVED,),
        (switch(".free_i(free)", ".free_i({ALL{1'b1}})"), *BLIND),
    ),
    stopped(
        "a head sets its virtual channel free",
        f"{TWO} VCS=1 TEST=uniform",
        "a flit was sent in a virtual channel that no packet holds",
        outputs("if (flit[TAIL]) left", "if (flit[HEAD]) left", 2),
    ),
    Faulty(
        "one-flit packets do not give their virtual channel back",
        f"{TWO} TEST=one_flit STAGES=1",
        (kind.LOST, kind.STUCK),
        (outputs("(busy_q | claim_i) & ~left;", "(busy_q & ~left) | claim_i;"),),
    ),
    stopped(
        "a packet of one flit keeps its output port: the next one follows it",
        f"{TWO} TEST=one_flit",
        "a flit was sent in a virtual channel that no packet holds",
        inputs(
            "if (take_i[i] && flit_o[(i/VCS)*FLIT_W + TAIL]) begin",
            "if (take_i[i] && flit_o[(i/VCS)*FLIT_W + TAIL]"
            " && !flit_o[(i/VCS)*FLIT_W + HEAD]) begin",
        ),
    ),
    # ---- arbiters --------------------------------------------------------------------------------
    UNFAIR_ROUND_ROBIN,
    Faulty(
        "matrix arbiters that never change their order",
        f"{TWO} VCS=1 ARBITER=MATRIX TEST=fairness",
        (kind.UNFAIR,),
        (arbiter("else if (taken_i[k]) begin", "else if (1'b0) begin"),),
    ),
    Faulty(
        "the arbiters of the virtual channels alone never move on",
        f"{TWO} TEST=fairness",
        (kind.UNFAIR,),
        (vcs(".taken_i(asked)", ".taken_i({(SWITCHES*PORTS){1'b0}})"),),
    ),
    Faulty(
        "who loses at an output port is dropped",
        f"{TWO} TEST=uniform",
        (kind.LOST, kind.STUCK),
        (crossing("assign take_o = take;", "assign take_o = pick;"),),
    ),
    stopped(
        "two are granted at once",
        f"{TWO} VCS=1 TEST=uniform",
        "a flit was sent in a virtual channel that no packet holds",
        arbiter("grant_o[c*R +: R] = asked & (~asked + 1'b1);", "grant_o[c*R +: R] = asked;"),
    ),
    # ---- time ------------------------------------------------------------------------------------
    Faulty(
        "STAGES=2 takes three clocks",
        f"{TWO} STAGES=2 TEST=single_packets",
        (kind.LATE,),
        (inputs("(STAGES == 3) ? searching & routed_q", "(STAGES >= 2) ? searching & routed_q"),),
    ),
    Faulty(
        "STAGES=2 takes one clock",
        f"{TWO} STAGES=2 TEST=single_packets",
        (kind.EARLY,),
        (
            inputs("(STAGES == 1) ? active_q | grant_i", "(STAGES <= 2) ? active_q | grant_i"),
            inputs("    if (STAGES == 1)\n      for (x", "    if (STAGES <= 2)\n      for (x"),
        ),
    ),
    # ---- reset -----------------------------------------------------------------------------------
    Faulty(
        "a reset leaves virtual channels in the hands of packets that are gone",
        f"{TWO} TEST=reset",
        (kind.CREDITS,),
        (
            outputs("busy_q  <= rst ? {CREDITS{1'b0}} : ", "busy_q  <= "),
            outputs("ready_q, home_q, busy_q;", "ready_q, home_q, busy_q = 0;"),
        ),
    ),
    stopped(
        "a reset leaves flits in the queues",
        f"{TWO} TEST=reset",
        "no head at the front of a packet",
        inputs("present_q <= rst ? {QUEUES{1'b0}} : present;", "present_q <= present;"),
        inputs("reg [QUEUES-1:0]         present_q;", "reg [QUEUES-1:0]         present_q = 0;"),
    ),
    Faulty(
        "a reset does not bring the credits back",
        f"{TWO} TEST=reset",
        (kind.CREDITS,),
        (
            outputs(
                "credit = {CREDITS{FULL[COUNT_W-1:0]}};",
                "if (credit_q[0] === 1'bx) credit = {CREDITS{FULL[COUNT_W-1:0]}};",
            ),
        ),
    ),
)

# Of each way to see a fault one: flits that are missing, a check of the design, a promise.
ON_VERILATOR = (LOST_TAIL, TURNED, UNFAIR_ROUND_ROBIN)
