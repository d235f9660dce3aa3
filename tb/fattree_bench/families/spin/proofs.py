"""Proofs of SPIN's router (rtl/spin), block by block."""

from collections.abc import Iterator
from typing import Any

from fattree_bench.families.proof import Proof


def _proof(block: str, size: str, seconds: float, **sizes: int) -> Proof:
    parameters: dict[str, Any] = dict(sizes)
    return Proof(
        name="-".join(["spin", block, *map(str, sizes.values())]),
        network="spin",
        size=size,
        top=f"spin_{block}_proof",
        parameters=parameters,
        engine="pdr",
        small=sizes == {"SOURCES": 1},
        seconds=seconds,
    )


def _proofs() -> Iterator[Proof]:
    yield _proof("input", "any words", 60)
    for children, parents in ((2, 2), (3, 4), (4, 4)):
        size = f"children={children} parents={parents}"
        yield _proof("climb", size, 20, CHILDREN=children, PARENTS=parents)
    for inputs, children in ((2, 2), (3, 2), (4, 2)):
        size = f"inputs={inputs} children={children}"
        yield _proof("descend", size, 20, INPUTS=inputs, CHILDREN=children)
    for sources in (1, 4, 9):
        yield _proof("output", f"sources={sources}", 5, SOURCES=sources)
    for words in (2, 3, 4):
        yield _proof("buffer", f"sources=2 WORDS={words}", 20, WORDS=words)


PROOFS = tuple(_proofs())
