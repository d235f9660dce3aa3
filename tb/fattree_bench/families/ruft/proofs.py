"""Proofs of the long links of RUFT (rtl/ruft)."""

from fattree_bench.families.proof import proofs

PROOFS = tuple(
    proofs(
        *("ruft", "xgft_long_link_proof", "xgft-long-link-{LONG}", "LONG={LONG} VCS={VCS}"),
        ("LONG", "VCS"),
        [(long, 2) for long in (0, 1, 2, 5)],
        engine=lambda row: "pdr" if row["LONG"] else "smt",
        rules=lambda row: ("L1", "L2", "L3", *["L4"][: row["LONG"]]),
        seconds=5,
    )
)
