"""Faulty drawings of the Benes network: its shuffles, its sides."""

from fattree_bench.bench import faults as kind
from tests.tb.bench.wormhole.edits import drawing
from tests.tb.faults.faulty import Faulty, stopped

DRAWN = "NETWORK=benes PORTS=4 LEVELS=2 UNFOLDED=1"  # 8 leaves; both shuffles are the same
LARGER = "NETWORK=benes PORTS=4 LEVELS=3 UNFOLDED=1"

TURNED = "a packet turned up after it went down"

DESIGNS = (
    stopped(
        "UNFOLDED: columns are joined straight, without a shuffle",
        f"{DRAWN} TEST=single_packets",
        TURNED,
        drawing("localparam R = benes_shuffle(c, q);", "localparam R = q;"),
    ),
    stopped(
        "UNFOLDED: the perfect shuffle where its inverse belongs, and the other way round",
        f"{LARGER} TEST=shifts",
        TURNED,
        drawing("+ ((c < SPINE) ? inverse", "+ ((c >= SPINE) ? inverse"),
    ),
    stopped(
        "UNFOLDED: every shuffle up to the spine is that of the next column",
        f"{LARGER} TEST=shifts",
        TURNED,
        drawing("(c < SPINE) ? c : LAST", "(c < SPINE) ? c + 1 : LAST"),
    ),
    stopped(
        "UNFOLDED: the spine is the wrong way round",
        f"{DRAWN} TEST=single_packets",
        TURNED,
        drawing("== (c <= SPINE)) begin", "== (c < SPINE)) begin"),
    ),
    Faulty(
        "UNFOLDED: leaves at the right edge stand upside down",
        f"{DRAWN} TEST=single_packets",
        (kind.MISDELIVERED,),
        (drawing("localparam M = EDGE + q;", "localparam M = LEAVES - 1 - q;"),),
    ),
    stopped(
        "UNFOLDED: what goes left takes the links of the next port",
        f"{DRAWN} TEST=uniform",
        "a credit came back twice",
        drawing(
            "gen_column[c+1].left_out[R*LINK_W +: LINK_W];",
            "gen_column[c+1].left_out[(R + 1) % EDGE * LINK_W +: LINK_W];",
        ),
    ),
)
