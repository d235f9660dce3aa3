"""All proofs, by name."""

from itertools import chain

from fattree_bench.families import offered
from fattree_bench.families.proof import Proof
from fattree_bench.formal.blocks import BLOCKS

PROOFS: dict[str, Proof] = {
    proof.name: proof
    for proof in chain(BLOCKS, *(proofs for _, proofs in offered("proofs", "PROOFS")))
}
