"""Ports between components that know what goes through them, and types of what goes."""

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from pyuvm import uvm_analysis_port, uvm_component, uvm_sequence_item, uvm_subscriber

Datum = TypeVar("Datum")


class Played(uvm_sequence_item):
    """An item of a sequence, as a driver plays it.

    Attributes
    ----------
    sequence : number of its first row, given when it is sent.
    slots : numbers of rows that it uses up.
    """

    family: str
    sequence = -1
    plan: Any = None  # what the predictor worked out, of each family another type

    @property
    def slots(self) -> int:
        raise NotImplementedError


class Burst(Protocol):
    """What was seen of an item in a burst."""

    @property
    def item(self) -> Played: ...


Item = TypeVar("Item", bound=Played)
Seen = TypeVar("Seen", bound=Burst)
Planned = TypeVar("Planned")
Net = TypeVar("Net")


class Analysis(uvm_analysis_port, Generic[Datum]):
    """Hands what is written to all that listen, in the order in which they were connected."""

    def write(self, datum: Datum) -> None:
        super().write(datum)

    def tell(self, name: str, parent: uvm_component, listener: Callable[[Datum], None]) -> None:
        """Connect a function, as an export `name` of a component."""
        self.connect(uvm_subscriber.uvm_AnalysisImp(name, parent, listener))
