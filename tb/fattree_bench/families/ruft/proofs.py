"""Proofs of the long links of RUFT (rtl/ruft)."""

from collections.abc import Iterator

from fattree_bench.families.proof import Proof


def _long_links() -> Iterator[Proof]:
    for long in (0, 1, 2, 5):
        yield Proof(
            name=f"xgft-long-link-{long}",
            network="ruft",
            size=f"LONG={long} VCS=2",
            top="xgft_long_link_proof",
            parameters={"LONG": long, "VCS": 2},
            engine="pdr" if long else "smt",
            rules=("L1", "L2", "L3", *["L4"][:long]),
            seconds=5,
        )


PROOFS = (*_long_links(),)
