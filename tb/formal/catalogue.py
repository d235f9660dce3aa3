"""All proofs, by name."""

from tb.formal.blocks import BLOCKS
from tb.formal.packet import PACKET
from tb.formal.proof import Proof
from tb.formal.serial import SERIAL
from tb.formal.trees import TREES

PROOFS: dict[str, Proof] = {proof.name: proof for proof in (*BLOCKS, *TREES, *PACKET, *SERIAL)}
