"""Sequences of pyuvm that know the network they are started on.

A sequence declares its fields as a dataclass does, after its name; the factory makes it from the
name alone, and a test or another sequence starts it:

    class Burst(Sequence[Lbbvn, SlotFrame]):
        slots: int = 64

        def items(self):
            yield SlotFrame(lbbvn.random_messages(self.rng, self.slots, self.network.leaves, 0.5))

    class Both(Sequence[Lbbvn, SlotFrame]):
        async def body(self):
            await self.do(Burst("first", slots=8))
            await self.do(Burst("second"))
"""

import types
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, fields
from inspect import iscoroutinefunction
from typing import Generic, TypeVar, dataclass_transform

import numpy as np
from pyuvm import uvm_factory, uvm_sequence, uvm_sequence_item, uvm_sequencer

from fattree_bench.bench.created import Created
from fattree_bench.bench.limits import Watch
from fattree_bench.bench.scenario import Body, Stimulus
from fattree_bench.bench.tlm import Net

Item = TypeVar("Item")


class Ended(Exception):
    """The run has reached a limit: sequences send nothing more."""


class Sequencer(Created, uvm_sequencer):
    """Hands items to a driver; tells its sequences what they may use, and ends them at a limit."""

    stimulus: Stimulus
    watch: Watch

    async def finish_item(self, item: uvm_sequence_item) -> None:
        await super().finish_item(item)
        if self.watch.over():
            raise Ended

    async def do(self, sequence: "Startable") -> None:
        """Start a sequence, as the type that the factory has for it here.

        What overrides a type is derived from it: it gets those fields that are not as by default.
        """
        path = f"{self.get_full_name()}.{sequence.get_name()}"
        kind = uvm_factory().find_override_by_type(type(sequence), path)
        if kind is not type(sequence):
            given = {x.name: getattr(sequence, x.name) for x in fields(sequence)}
            own = {x.name for x in fields(sequence) if given[x.name] is x.default}
            sequence = kind(**{name: x for name, x in given.items() if name not in own})
        await sequence.start(self)


@types.coroutine
def _handed(item: Item) -> Generator[Item, None, None]:
    yield item


class Pulled(Sequencer):
    """Where no simulator runs: hands each item to the loop over `items`."""

    def __init__(self, stimulus: Stimulus) -> None:
        self.stimulus = stimulus  # it has no place among components

    def get_full_name(self) -> str:
        return "pulled"

    async def start_item(self, item: uvm_sequence_item) -> None:
        pass

    async def finish_item(self, item: uvm_sequence_item) -> None:
        await _handed(item)

    def items(self, sequence: "Sequence[Net, Item]") -> Iterator[Item]:
        """The items of a sequence; it continues when the next one is asked for."""
        running = sequence.start(self)
        try:
            while True:
                yield running.send(None)
        except StopIteration:
            return


@dataclass_transform(eq_default=False)
class Startable(uvm_sequence):
    """What a sequencer starts."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        taken = [
            name for name in vars(cls).get("__annotations__", ()) if hasattr(uvm_sequence, name)
        ]
        if taken:
            raise TypeError(
                f"{cls.__name__}.{taken[0]}: sequences of pyuvm have a method of that name"
            )
        dataclass(eq=False, repr=False)(cls)


class Sequence(Startable, Generic[Net, Item]):
    """Items for a network, one after the other, or other sequences."""

    name: str = ""

    def __post_init__(self) -> None:
        super().__init__(self.name or type(self).__name__)

    @property
    def stimulus(self) -> Stimulus:
        """What its sequencer lets it use."""
        found: Stimulus = self.sequencer.stimulus
        return found

    @property
    def network(self) -> Net:
        found: Net = self.stimulus.network
        return found

    @property
    def rng(self) -> np.random.Generator:
        """For everything random: the seed of the run and the name of the test decide it."""
        return self.stimulus.rng

    @property
    def rows(self) -> int:
        """Slots, clocks or delivery cycles that random traffic should have."""
        return self.stimulus.rows

    def items(self) -> Iterator[Item]:
        """What it sends; the next item is made when the one before was played."""
        yield from ()

    async def body(self) -> None:
        for item in self.items():
            await self.start_item(item)
            await self.finish_item(item)

    async def do(self, sequence: Startable) -> None:
        """Start another sequence here, see Sequencer."""
        await self.sequencer.do(sequence)


class Listed(Sequence[Net, Item]):
    """Items that are there already."""

    given: Iterable[Item] = ()

    def items(self) -> Iterator[Item]:
        yield from self.given


def sequence_of(body: Body) -> type[Startable]:
    """The sequence that a scenario starts: its body is one, or makes items, or starts others."""
    if isinstance(body, type):
        return body
    members: dict[str, Callable[..., object]] = (
        {"body": body}
        if iscoroutinefunction(body)
        else {"items": lambda sequence: body(sequence.stimulus)}
    )
    return type(body.__name__, (Sequence,), {"__doc__": body.__doc__, **members})
