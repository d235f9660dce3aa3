"""Faulty networks of the RUFT: its wiring, its digits, its long links."""

from fattree_bench.bench import faults as kind
from tests.tb.bench.wormhole.edits import long_link, ruft
from tests.tb.faults.faulty import Edit, Faulty, stopped

RUFT = "NETWORK=ruft K=2 LEVELS=3 LONG=2"  # 8 leaves
PLACE = "localparam A = k / K / LOW % K;  // a_{l+1}"
NEXT = "localparam J = (k / K % LOW + LOW * (k % K + K * (k / (K * LOW * K)))) * K + A;"
ARBITER = "common/arbiter.v"
ONE_ARBITER = (
    "gen_stage[1].gen_switch[1].u_switch.u_core.u_vc_allocator.gen_port[2].u_arbiter"  # of 32 alike
)

DESIGNS = (
    Faulty(
        "RUFT: a stage leads straight on, without a shuffle",
        f"{RUFT} TEST=single_packets",
        (kind.MISDELIVERED,),
        (ruft(PLACE, ""), ruft(NEXT, "localparam J = k;")),
    ),
    Faulty(
        "RUFT: every stage has the shuffle of the first",
        f"{RUFT} TEST=single_packets",
        (kind.MISDELIVERED,),
        (
            ruft(PLACE, PLACE.replace("LOW", "1")),
            ruft(NEXT, NEXT.replace("LOW", "1")),
        ),
    ),
    Faulty(
        "RUFT: the stages take the digits in the other order",
        f"{RUFT} TEST=single_packets",
        (kind.MISDELIVERED, kind.ROUTE),
        (ruft(".BELOW(LOW * K)", ".BELOW(power(LEVELS - l) * K)"),),
    ),
    Faulty(
        "RUFT: two stages take the same digit",
        f"{RUFT} TEST=single_packets",
        (kind.MISDELIVERED,),
        (ruft(".BELOW(LOW * K)", ".BELOW((l == 2) ? K : LOW * K)"),),
    ),
    Faulty(
        "RUFT: long links lead to the leaves in the order of the switches",
        f"{RUFT} TEST=single_packets",
        (kind.MISDELIVERED,),
        (ruft("localparam LEAF = k % K * SIZE + k / K;", "localparam LEAF = k;"),),
    ),
    stopped(
        "RUFT: credits come back from another leaf",
        f"{RUFT} TEST=uniform",
        "a credit came back twice",
        ruft(".credit_i(down_credit[LEAF*VCS +: VCS])", ".credit_i(down_credit[k*VCS +: VCS])"),
    ),
    Faulty(
        "RUFT: long links are one register short",
        f"{RUFT} TEST=single_packets",
        (kind.EARLY,),
        (ruft(".LONG(LONG), .VCS(VCS)", ".LONG(LONG - 1), .VCS(VCS)"),),
    ),
    Faulty(
        "RUFT: flits of long links are one register short",
        f"{RUFT} TEST=single_packets",
        (kind.EARLY,),
        (
            long_link("= gen_place[LONG].valid;", "= gen_place[LONG-1].valid;"),
            long_link("= gen_place[LONG].flit;", "= gen_place[LONG-1].flit;"),
        ),
    ),
    Faulty(
        "RUFT: credits of long links are a register longer than flits",
        f"{RUFT} DEPTH=4 TEST=single_packets",
        (kind.LATE,),
        (
            long_link("r <= LONG;", "r <= LONG + 1;"),
            long_link("= gen_place[LONG].credit;", "= gen_place[LONG+1].credit;"),
        ),
    ),
    Faulty(
        "RUFT: a register of a long link holds the last flit",
        f"{RUFT} TEST=uniform",
        (kind.CHANNEL, kind.DUPLICATED),
        (long_link("= gen_place[LONG].flit;", "= gen_place[LONG-1].flit;"),),
    ),
    Faulty(
        "RUFT: behind a reset one arbiter of one switch passes over one of its inputs",
        "NETWORK=ruft K=4 LEVELS=2 VCS=1 TEST=reset",
        (kind.LINK,),
        (
            Edit(ARBITER, "parameter R = 4, ", "parameter [3:0] BEHIND = 15, parameter R = 4, "),
            Edit(ARBITER, "first_q <= {R{1'b1}};", "first_q <= BEHIND[R-1:0];"),
            ruft("genvar l, s, k;", f"defparam {ONE_ARBITER}.BEHIND = 4'b1101;\n  genvar l, s, k;"),
        ),
    ),
    stopped(
        "RUFT: a reset leaves flits on long links",
        f"{RUFT} TEST=reset",
        "a credit came back twice",
        long_link("<= rst ? {VCS{1'b0}} : gen_place[r-1].valid", "<= gen_place[r-1].valid"),
        long_link("reg [VCS-1:0]    valid_q,", "reg [VCS-1:0]    valid_q = 0,"),
    ),
)
