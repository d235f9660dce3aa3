"""Proofs of the routes of turn-back nodes (rtl/turnback)."""

from fattree_bench.families.proof import proofs

M, W = (2, 3, 2), (1, 2, 3)  # of the tree, by level
PLACES = ("M1", "M2", "M3", "W1", "W2", "W3")

# (ROUTING, TBCH, ROOT_LINKS, LATERAL) of nodes
TURNS = (("TB", 2, 0, "1"), ("TBWP", 2, 2, "1"), ("TBWP", 1, 2, "MANY"), ("TBWP", 3, 0, "1"))
TURNING_RULES = {"TB": ("T1", "T2", "T3", "T6"), "TBWP": ("T1", "T2", "T4", "T5", "T6")}


PROOFS = tuple(
    proofs(
        *("turnback", "turnback_route_proof"),
        "turnback-route-{ROUTING}-{TURNS}-{links}-{LATERAL}-{ADDRESS}-{LEVEL}",
        "XGFT(3;2,3,2;1,2,3) level {LEVEL}, {ROUTING} TBCH={TURNS} ROOT_LINKS={links} "
        "LATERAL={LATERAL} ADDRESS={ADDRESS}",
        ("LEVEL", *PLACES, "TURNS", "links", "ROOTS", "ROUTING", "LATERAL", "ADDRESS"),
        [
            (level, *M, *W, turns, links, links * (level == len(M)), routing, lateral, address)
            for routing, turns, links, lateral in TURNS
            for level in (1, 2, 3)
            for address in ("NUMBER", "VECTOR")
            # The others have vectors under TBWP.
            if links or address == "NUMBER" or routing == "TB"
        ],
        rules=lambda row: TURNING_RULES[row["ROUTING"]],
        small=lambda row: row["LEVEL"] == 3 and row["LATERAL"] == "1" and row["links"] == 2,
        seconds=10,
    )
)
