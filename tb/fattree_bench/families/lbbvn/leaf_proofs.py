"""Proofs of a leaf of the bufferless fat-tree, with its delay line."""

from fattree_bench.families.proof import proofs

LEAVES = tuple(
    proofs(
        *("lbbvn", "lbbvn_leaf_proof", "lbbvn-leaf-{CONTROL}-{LATENCY}"),
        *("{CONTROL}, LATENCY={LATENCY}", ("CONTROL", "LATENCY")),
        (("SELF", 1), ("SELF", 3), ("SCHEDULED", 2)),
        clocks=7,  # a line of three is full, and has been round, after six
        bound=7,
        small=True,
        seconds=2,
    )
)
