"""What finds the cheapest networks: a family's optimise.py offers OPTIMISER, a class of these."""

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, Self

from fattree_bench.settings import Variable


class Optimiser(Protocol):
    """Checked variables of `make optimise`, and what it prints."""

    parameters: ClassVar[tuple[Variable[Any], ...]]

    @classmethod
    def from_variables(cls, variables: Mapping[str, str]) -> Self:
        """Check the variables; UserError names the first that is wrong."""

    def rows(self) -> list[dict[str, str]]:
        """A row a network, the cheapest first, text by title; UserError if there is none."""
