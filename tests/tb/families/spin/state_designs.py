"""Sound SPINs that show another state of their routers than they have."""

from fattree_bench.bench import faults as kind
from tests.tb.faults.faulty import Edit, Faulty

CROWDED = "NETWORK=spin PLANES=1 TEST=hot_spot"


def shows(name: str, module: str, old: str, new: str) -> Faulty:
    """A SPIN whose words are right."""
    edit = Edit(f"spin/spin_{module}.v", old, new)
    return Faulty(f"SPIN: {name}", CROWDED, (kind.STATE,), (edit,))


OWNS = "stored_has | ~empty;"
STORES = "(store != {(2*PORTS){1'b0}});"

DESIGNS = (
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
)
