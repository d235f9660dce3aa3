"""Proofs of the nodes of the bit-serial fat-tree (rtl/leiserson), of whole trees, and of
the graphs of partial concentrators.
"""

from collections.abc import Iterator

from fattree_bench.families.proof import Proof, proofs, serial_variants
from fattree_models.leiserson.partial import guarantee


def _nodes() -> Iterator[Proof]:
    """Nodes, by wires up, wires down: those of universal trees, and others."""
    sizes = (
        *((1, 1), (2, 2), (3, 3)),
        *((7, 5), (5, 3), (3, 2), (2, 1)),  # 16 leaves, ROOT=7
        (4, 2),  # 16 leaves, ROOT=16: every channel twice as wide as the two below
    )
    for up, down in sizes:
        for name, size, parameters in serial_variants(up, down):
            if up > 5 and "rotating" in name:
                continue  # no proof within minutes a rule
            yield Proof(
                name=f"node-{name}",
                network="leiserson",
                size=f"{up} wires up, {down} down, {size}",
                top="leiserson_node_proof",
                parameters={"C_UP": up, "C_DOWN": down, **parameters},
                clocks=1,
                bound=6,
                small=name == "2-1-rotating-0",
                seconds=3 + up * down,
            )


TREE_CAPS = {  # by level, the channel above the root first
    4: ((3, 2, 1), (4, 2, 1), (1, 1, 1)),
    8: ((1, 1, 1, 1),),
}


def _trees() -> Iterator[Proof]:
    """Whole trees, one delivery cycle; one from reset, whose traces can be played."""
    for leaves, profiles in TREE_CAPS.items():
        levels = leaves.bit_length() - 1
        for caps in profiles:
            for any_state in (0, 1) if leaves == 4 else (1,):
                yield Proof(
                    name=f"serial-tree-{leaves}-{'-'.join(map(str, caps))}-{any_state}",
                    network="leiserson",
                    size=f"N={leaves}, wires {', '.join(map(str, caps))}"
                    + ", after reset" * (not any_state),
                    top="leiserson_tree_proof",
                    parameters={
                        "N_LOG": levels,
                        "CAPS": f"352'd{sum(c << (32 * k) for k, c in enumerate(caps))}",
                        "ANY_STATE": any_state,
                    },
                    clocks=2 * levels + 4,  # of a delivery cycle
                    seconds=30,
                )


GRAPHS = (*((9, 6), (9, 8), (12, 8), (12, 9), (16, 11), (16, 12), (18, 12), (20, 14), (24, 16)),)

PROOFS = (
    # Graphs of the stages of partial concentrators: every set of inputs.
    *proofs(
        *("common", "partial_graph_proof", "partial-graph-{R}-{S}", "{R} → {S}, any {K}"),
        ("R", "S", "K"),
        [(r, s, guarantee(r, s)) for r, s in GRAPHS],
        engine="bdd",
        small=lambda row: (row["R"], row["S"]) == (12, 8),
    ),
    *_nodes(),
    # Nodes without decisions: with no stage, one and two.
    *proofs(
        *("leiserson", "leiserson_offline_node_proof", "offline-node-{C_UP}-{C_DOWN}"),
        "{C_UP} wires up, {C_DOWN} down",
        ("C_UP", "C_DOWN"),
        ((2, 1), (3, 2), (5, 3), (7, 5)),
        small=lambda row: row["C_UP"] == 3,
    ),
    *_trees(),
)
