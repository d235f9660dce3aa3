"""Faulty routes and forwarding tables of the packet-switched fat-trees."""

from fattree_bench.bench import faults as kind
from tests.tb.bench.wormhole.edits import (
    TABLES,
    THREE,
    TWO,
    core,
    level,
    network,
    random,
    route,
    table,
)
from tests.tb.faults.faulty import Edit, Faulty, stopped

TURNED = stopped(
    "a packet from above is sent up again",
    f"{TWO} TEST=single_packets",
    "a packet turned up after it went down",
    route(
        ": destination / BELOW != {16'd0, subtree_i})",
        ": destination / BELOW != {16'd0, subtree_i} || !below_i)",
    ),
)

EARLY = "a packet climbed although its destination is below"
OTHER_PARENT = "a packet came down by another parent than D-mod-k's"

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
            "localparam CHILD = BELOW / DOWN;",
            "localparam CHILD = (BELOW > DOWN) ? DOWN : 1;",
        ),
    ),
    stopped(
        "D-mod-k without the division: the same digit at every level",
        f"{THREE} TEST=single_packets",
        OTHER_PARENT,
        route("parent = (number / SPREAD) % PARENTS;", "parent = number % PARENTS;"),
    ),
    Faulty(
        "S-mod-k without the division: the same digit at every level",
        f"{THREE} ROUTING=SMODK TEST=single_packets",
        (kind.ROUTE,),
        (route("parent = (number / SPREAD) % PARENTS;", "parent = number % PARENTS;"),),
    ),
    stopped(
        "D-mod-k divides by the parents of the level above",
        "NETWORK=xgft M=2,2,2 W=1,3,2 TEST=single_packets",
        OTHER_PARENT,
        route(
            "parent = (number / SPREAD) % PARENTS;",
            "parent = (number / (SPREAD * PARENTS)) % PARENTS;",
        ),
    ),
    stopped(
        "D-mod-k looks at the source",
        f"{TWO} TEST=single_packets",
        OTHER_PARENT,
        route('(ROUTING == "SMODK") ?', '(ROUTING != "SMODK") ?'),
    ),
    Faulty(
        "CLIMB=TOP: packets turn at the nearest common ancestor",
        f"{TWO} CLIMB=TOP TEST=single_packets",
        (kind.ROUTE,),
        (
            route(
                '(CLIMB == "TOP") ? below_i',
                '(CLIMB == "TOP" && UP == 0) ? below_i',
            ),
        ),
    ),
    stopped(
        "packets climb to the top although they could turn before",
        f"{TWO} TEST=single_packets",
        EARLY,
        route('(CLIMB == "TOP") ?', '(CLIMB == "NCA") ?'),
    ),
    Faulty(
        "RANDOM: the random numbers stand still",
        f"{TWO} ROUTING=RANDOM TEST=free_choice",
        (kind.UNEVEN,),
        (random("!rst ? next", "!rst ? seed"),),
    ),
    Faulty(
        "ADAPTIVE: always the first parent",
        f"{TWO} ROUTING=ADAPTIVE TEST=free_choice",
        (kind.UNEVEN,),
        (route("port = DOWN + parent;", "port = DOWN;"),),
    ),
    Faulty(
        "ADAPTIVE: ties go to the first parent",
        f"{TWO} ROUTING=ADAPTIVE TEST=free_choice",
        (kind.UNEVEN,),
        (
            route(
                "one    = ({16'd0, random_i} * PARENTS) >> 16;",
                'one    = (ROUTING == "ADAPTIVE") ? 0 : ({16\'d0, random_i} * PARENTS) >> 16;',
            ),
        ),
    ),
    Faulty(
        "ADAPTIVE: the parent with least room",
        f"{TWO} ROUTING=ADAPTIVE TEST=free_choice",
        (kind.UNEVEN,),
        (
            route(
                "if (room_i[one*ROOM_W +: ROOM_W] > most)",
                "if (room_i[one*ROOM_W +: ROOM_W] < most)",
            ),
        ),
    ),
    Faulty(
        "TWO: the fuller one of two",
        f"{TWO} ROUTING=TWO TEST=free_choice VCS=1",
        (kind.UNEVEN,),
        (
            route(
                "(room_i[two*ROOM_W +: ROOM_W] > most) ? two : one",
                "(room_i[two*ROOM_W +: ROOM_W] < most) ? two : one",
            ),
        ),
    ),
    stopped(
        "the links to the children of upper switches are swapped",
        f"{THREE} TEST=single_packets",
        EARLY,
        network(
            "localparam A      = CHILD / LOW % m(l + 1);",
            "localparam A      = m(l + 1) - 1 - CHILD / LOW % m(l + 1);",
        ),
    ),
    stopped(
        "leaves send lists of hops",
        f"{TWO} TEST=single_packets",
        "a flit of a leaf has a list of hops",
        network(
            ".valid_i(valid_i), .flit_i(flit_i)",
            ".valid_i(valid_i), .flit_i(flit_i | {LEAVES{1'b1, {(FLIT_W-1){1'b0}}}})",
        ),
    ),
    stopped(
        "leaves of a RUFT send lists of hops",
        "NETWORK=ruft K=2 LEVELS=2 TEST=single_packets",
        "a flit of a leaf has a list of hops",
        Edit(
            "ruft/ruft_network.v",
            ".valid_i(valid_i), .flit_i(flit_i)",
            ".valid_i(valid_i), .flit_i(flit_i | {LEAVES{1'b1, {(FLIT_W-1){1'b0}}}})",
        ),
    ),
    Faulty(
        "the list of hops says the port below",
        f"{TWO} TEST=single_packets",
        (kind.ROUTE,),
        (core(".HOP(o + 1)", ".HOP((o + 1) % OUTS + 1)"),),
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
        level("entries_i[s*ENTRY_W", "entries_i[(s^1)*ENTRY_W"),
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
        table("row[address_i] <= entry_i;", "row[address_i] <= {PORT_W{1'b1}};"),
    ),
)
