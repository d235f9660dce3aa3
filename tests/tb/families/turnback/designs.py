"""Faulty turn-back nodes."""

from fattree_bench.bench import faults as kind
from tests.tb.bench.wormhole.edits import TWO_TURNBACK, core, digit, half, level, node, turning
from tests.tb.faults.faulty import Faulty, stopped

TB = f"{TWO_TURNBACK} TBCH=1"
TBWP = f"{TWO_TURNBACK} ROUTING=TBWP TBCH=1 ROOT_LINKS=1"
TOPS = "NETWORK=turnback M=2,4 W=1,2 ROUTING=TBWP TBCH=1 ROOT_LINKS=1"  # with many children
OPEN = "(open_i & ~ONWARD) == {OUTS{1'b0}} && onward"
ONCE = turning("if (LIMITED == 1 && lateral_i) onward = 1'b0;", "")

DESIGNS = (
    Faulty(
        "a turn-back channel is leaked: packets of two flits keep theirs",
        f"{TB} VCS=4 TEST=single_packets",
        (kind.CREDITS,),
        (
            core(
                ".claim_i(claim[o*VCS +: VCS]),",
                ".claim_i(claim[o*VCS +: VCS] | kept),",
            ),
            core(
                "    for (o = 0; o < OUTS; o = o + 1) begin : gen_out\n",
                "    for (o = 0; o < OUTS; o = o + 1) begin : gen_out\n"
                "      reg [VCS-1:0] begun, kept;\n"
                "      always @(posedge clk) begin\n"
                "        begun <= flit_o[o*FLIT_W+WIDTH+1] ? valid_o[o*VCS +: VCS] : 0;\n"
                "        kept <= (!rst && ROOMS == 1 && o == OUTS - 1 && flit_o[o*FLIT_W+WIDTH])\n"
                "          ? begun & valid_o[o*VCS +: VCS] : 0;\n"
                "      end\n",
            ),
        ),
    ),
    stopped(
        "a packet goes over two root links",
        f"{TOPS} TEST=uniform",
        "a packet took a second root link",
        ONCE,
    ),
    Faulty(
        "a packet goes over two root links, and the design does not see it",
        f"{TOPS} DEPTH=64 TEST=uniform",
        (kind.ROUTE,),
        (
            turning(
                "turn = below_i;",
                "turn = below_i && !(LIMITED == 1 && lateral_i && random_i[0]);",
            ),
            half("!over, ", "1'b1, "),
        ),
    ),
    Faulty(
        "the digits of a vector are swapped",
        f"{TB} ADDRESS=VECTOR TEST=single_packets",
        (kind.MISDELIVERED,),
        (digit("(address >> FIELDS)", "(address >> ADDR_W - FIELDS - DIGIT_W)"),),
    ),
    Faulty(
        "a node has the subtree of another",
        f"{TB} ADDRESS=VECTOR TEST=single_packets",
        (kind.MISDELIVERED,),
        (level("digits(LEVEL, SUBTREE) :", "digits(LEVEL, SIZE / LOW - 1 - SUBTREE) :"),),
    ),
    Faulty(
        "TBWP turns without a channel: it waits for one that is taken",
        f"{TBWP} TEST=climbing_on",
        (kind.WAITED,),
        (turning(OPEN, "1'b0"),),
    ),
    Faulty(
        "TBWP goes on although a turn-back channel is open",
        f"{TBWP} TEST=single_packets",
        (kind.ROUTE,),
        (turning(OPEN, "onward"),),
    ),
    Faulty(
        "TB climbs to the top",
        f"{TB} TEST=single_packets",
        (kind.ROUTE,),
        (turning("turn = below_i;", "turn = below_i && ON == 0;"),),
    ),
    Faulty(
        "packets turn where their destination is not below",
        f"{TB} TEST=single_packets",
        (kind.MISDELIVERED,),
        (turning("turn = below_i;", "turn = 1'b1;"),),
    ),
    Faulty(
        "always the first turn-back channel",
        f"{TWO_TURNBACK} TEST=free_choice",
        (kind.UNEVEN,),
        (turning("first + (({16'd0, random_i} * count) >> 16);", "first;"),),
    ),
    Faulty(
        "of parents and turn-back channels that with least room",
        f"{TWO_TURNBACK} TEST=free_choice",
        (kind.UNEVEN,),
        (
            turning(
                "room_i[one*ROOM_W +: ROOM_W]} > best)", "room_i[one*ROOM_W +: ROOM_W]} < best)"
            ),
        ),
    ),
    stopped(
        "all turn-back channels carry what the first one does",
        f"{TWO_TURNBACK} TEST=uniform",
        "a flit came to a full queue",
        node(
            "came                    = on_valid[O*VCS +: VCS];",
            "came                    = on_valid[(PORTS-DOWN)*VCS +: VCS];",
        ),
    ),
    Faulty(
        "no credits come back through turn-back channels",
        f"{TB} TEST=uniform",
        (kind.LOST, kind.STUCK),
        (node("on_credit[O*VCS +: VCS] = taken;", "on_credit[O*VCS +: VCS] = 0 & taken;"),),
    ),
)
