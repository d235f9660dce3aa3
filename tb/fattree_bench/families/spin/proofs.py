"""Proofs of SPIN's router (rtl/spin), block by block."""

from fattree_bench.families.proof import proofs

# Block, its size in words, parameters, their values, seconds.
BLOCKS: tuple[tuple[str, str, tuple[str, ...], tuple[tuple[int, ...], ...], int], ...] = (
    ("input", "any words", (), ((),), 60),
    (
        *("climb", "children={CHILDREN} parents={PARENTS}", ("CHILDREN", "PARENTS")),
        *(((2, 2), (3, 4), (4, 4)), 20),
    ),
    (
        *("descend", "inputs={INPUTS} children={CHILDREN}", ("INPUTS", "CHILDREN")),
        *(((2, 2), (3, 2), (4, 2)), 20),
    ),
    ("output", "sources={SOURCES}", ("SOURCES",), ((1,), (4,), (9,)), 5),
    ("buffer", "sources=2 WORDS={WORDS}", ("WORDS",), ((2,), (3,), (4,)), 20),
)
PROOFS = tuple(
    proof
    for block, size, columns, rows, seconds in BLOCKS
    for proof in proofs(
        *("spin", f"spin_{block}_proof", "-".join(["spin", block, *(f"{{{c}}}" for c in columns)])),
        *(size, columns, rows),
        engine="pdr",
        small=lambda row: row == {"SOURCES": 1},
        seconds=seconds,
    )
)
