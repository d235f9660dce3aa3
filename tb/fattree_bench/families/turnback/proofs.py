"""Proofs of the routes of turn-back nodes (rtl/turnback)."""

from collections.abc import Iterator

from fattree_bench.families.proof import Proof

M, W = (2, 3, 2), (1, 2, 3)  # of the tree, by level

# (ROUTING, TBCH, ROOT_LINKS, LATERAL) of nodes
TURNS = (("TB", 2, 0, "1"), ("TBWP", 2, 2, "1"), ("TBWP", 1, 2, "MANY"), ("TBWP", 3, 0, "1"))
TURNING_RULES = {"TB": ("T1", "T2", "T3", "T6"), "TBWP": ("T1", "T2", "T4", "T5", "T6")}


def _routes() -> Iterator[Proof]:
    for routing, turns, roots, lateral in TURNS:
        for level in (1, 2, 3):
            for address in ("NUMBER", "VECTOR"):
                if roots == 0 and address == "VECTOR" and routing == "TBWP":
                    continue  # the other three have it
                name = f"{routing}-{turns}-{roots}-{lateral}-{address}-{level}".lower()
                at_top = level == len(M)
                yield Proof(
                    name=f"turnback-route-{name}",
                    network="turnback",
                    size=f"XGFT(3;2,3,2;1,2,3) level {level}, {routing} TBCH={turns} "
                    f"ROOT_LINKS={roots} LATERAL={lateral} ADDRESS={address}",
                    top="turnback_route_proof",
                    parameters={
                        "LEVEL": level,
                        **{f"M{i}": M[i - 1] for i in (1, 2, 3)},
                        **{f"W{i}": W[i - 1] for i in (1, 2, 3)},
                        "TURNS": turns,
                        "ROOTS": roots if at_top else 0,
                        "ROUTING": f'"{routing}"',
                        "LATERAL": f'"{lateral}"',
                        "ADDRESS": f'"{address}"',
                    },
                    rules=TURNING_RULES[routing],
                    small=routing == "TBWP" and level == 3 and lateral == "1" and roots == 2,
                    seconds=10,
                )


PROOFS = (*_routes(),)
