"""SPINs in which all packets arrive: only the clock-exact model sees what is wrong with them."""

from fattree_bench.bench import faults as kind
from tests.tb.faults.faulty import Edit, Faulty

CROWDED = "NETWORK=spin PLANES=1 TEST=hot_spot"
EVEN = "NETWORK=spin PLANES=1 TEST=uniform"
HIT = "NETWORK=spin PLANES=1 TEST=damaged_marks"
WRITES = "NETWORK=spin PLANES=1 TEST=requests"


def shows(name: str, module: str, old: str, new: str) -> Faulty:
    """A router whose words are right, and which shows another state than it has."""
    edit = Edit(f"spin/spin_{module}.v", old, new)
    return Faulty(f"SPIN: {name}", CROWDED, (kind.STATE,), (edit,))


def differs(name: str, variables: str, module: str, *pairs: tuple[str, str]) -> Faulty:
    """A router on whose links something else is in a clock than its contract says."""
    edits = tuple(Edit(f"spin/spin_{module}.v", *pair) for pair in pairs)
    return Faulty(f"SPIN: {name}", variables, (kind.LINK,), edits)


OWNS = "stored_has | ~empty;"
STORES = "(store != {(2*PORTS){1'b0}});"

DESIGNS = (
    # ---- what routers show -----------------------------------------------------------------------
    shows("no input shows that it holds words", "input", "holds_o = present;", "holds_o = 1'b0;"),
    shows(
        "an input shows a word for a clock after it left",
        "input",
        "holds_o = present;",
        "holds_o = present | credit_o;",
    ),
    shows("a buffer shows a packet only while it leaves", "router", OWNS, "stored_has;"),
    shows(
        "an output is at first before credits are back", "output", "idle & credits_q[2];", "idle;"
    ),
    shows("nobody is told that a packet goes into a buffer", "router", STORES, "1'b0;"),
    shows(
        "a packet is told to go into a buffer that goes into the first",
        "router",
        STORES,
        "(store[0 +: PORTS] != {PORTS{1'b0}});",
    ),
    # ---- who gets what ---------------------------------------------------------------------------
    differs(
        "of inputs that ask for a child the lowest is always first",
        EVEN,
        "descend",
        (".taken_i(direct & (ask != {INPUTS{1'b0}})),", ".taken_i(1'b0),"),
    ),
    differs(
        "of inputs that ask for a buffer the lowest is always first",
        CROWDED,
        "descend",
        (".taken_i(taken),", ".taken_i(1'b0),"),
    ),
    differs(
        "of two shared buffers the younger goes first",
        CROWDED,
        "descend",
        ("young_q ? 2'b01 : 2'b10;", "young_q ? 2'b10 : 2'b01;"),
    ),
    Faulty(
        "SPIN: the turn of the parents goes on with every packet, not behind the one taken",
        CROWDED,
        (kind.STATE,),  # another parent has an owner, a clock before a word is on its link
        (Edit("spin/spin_climb.v", "from  = ~((got << 1) - 1'b1);", "from  = from << 1;"),),
    ),
    differs(
        "an output keeps a credit back",
        CROWDED,
        "output",
        ("ready = (credits_q != 3'd0);", "ready = (credits_q > 3'd1);"),
    ),
    differs(
        "a shared buffer has room for a word less",
        CROWDED,
        "buffer",
        ("(count_q != WORDS[COUNT_W-1:0]);", "(count_q != LAST[COUNT_W-1:0]);"),
    ),
    # ---- what is repaired ------------------------------------------------------------------------
    differs(
        "a packet behind one that was cut has no error mark",
        HIT,
        "input",
        ("astray_q | early_q | ~front[BEGIN]", "astray_q | ~front[BEGIN]"),
    ),
    differs(
        "an added word has data",
        HIT,
        "input",
        ("{4'b0101, 32'd0}", "{4'b0101, 32'd3}"),
    ),
    differs(
        "a packet that is astray has no error mark",
        HIT,
        "input",
        ("astray_q <= astray_i;", "astray_q <= 1'b0;"),
    ),
    # ---- reads and writes ------------------------------------------------------------------------
    differs(
        "of inputs that ask for a child the lowest is always first, in requests",
        WRITES,
        "descend",
        (".taken_i(direct & (ask != {INPUTS{1'b0}})),", ".taken_i(1'b0),"),
    ),
)
