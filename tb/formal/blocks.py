"""Proofs of blocks that several networks are made of (rtl/common)."""

from collections.abc import Iterator

from tb.formal.proof import Proof


def _concentrators() -> Iterator[Proof]:
    """All sizes from 2 to 32 inputs, onto half as many outputs; 16 inputs onto others, too."""
    pairs = [(r, (r + 1) // 2) for r in range(2, 33)] + [(16, s) for s in (1, 4, 12, 15, 16, 20)]
    for r, s in pairs:
        yield Proof(
            name=f"concentrator-{r}-{s}",
            network="common",
            size=f"{r} → {s}",
            top="concentrator_proof",
            sources=("common/concentrator.v",),
            parameters={"R": r, "S": s},
            engine="bdd",
            small=(r, s) in ((2, 1), (5, 3), (8, 4)),
            seconds=2 + r * r / 50,
        )


BLOCKS = tuple(_concentrators())
