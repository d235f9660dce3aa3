"""What a netlist does not say about itself, as data; needs no solver."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Hints:
    """Which bits of words matter, and when.

    Parameters
    ----------
    links : (words, valid): two outputs with one slice per link.  A word matters only while a valid
        bit of its link is set.  Outputs that a design does not have are ignored.
    width : bits of a word; 0: unknown, and each link has one valid bit.
    low : bits of a word from here up matter only if the bit below them, the mark of a head, is
        set, wherever the word is stored; 0: all bits matter.
    """

    links: Sequence[Sequence[str]] = ()
    width: int = 0
    low: int = 0

    @property
    def optional(self) -> int:
        """How many bits matter only with the mark."""
        return self.width - self.low if self.low else 0


NONE = Hints()
