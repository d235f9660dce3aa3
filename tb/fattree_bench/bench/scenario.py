"""What a scenario is: a name, a sentence, and what is started under it."""

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.network import Network
from fattree_models.common.checks import Int32Array


@dataclass
class Stimulus:
    """What a scenario may use: the network and its own random numbers.

    `rows` is how many slots or delivery cycles random traffic should have: fewer where the
    simulator is slow.
    `schedule` is what a SCHEDULED network is programmed with; None under other control.
    `senders` is how leaves send on the flit link (bench.links.flit.sequences.Senders).
    """

    network: Any
    rng: np.random.Generator
    rows: int
    schedule: Int32Array | None = field(default=None)
    senders: Any = None


def generator(seed: int, scenario: str) -> np.random.Generator:
    """A scenario's own random numbers: by seed and name alone, not by the order of the tests."""
    return np.random.default_rng(np.random.SeedSequence([seed, zlib.crc32(scenario.encode())]))


def crowded(rng: np.random.Generator, slots: int, senders: int, places: int) -> Int32Array:
    """Destinations 0 … places - 1, int32 [slots, senders], -1 idle: some places are in demand.

    In each slot some of the senders, 1 … all, want a few spots: 1, 2, 4 … places side by side.
    Channels then have far more requests than lanes, many at a time and from any pattern of inputs.
    """
    shape = slots, senders
    room = 1 << rng.integers(0, places.bit_length(), (slots, 1))
    spots = rng.integers(places, size=shape) // room * room
    few = rng.integers(1, senders + 1, (slots, 1))
    chosen = np.take_along_axis(spots, rng.integers(0, few, shape), axis=1)
    dst = np.minimum(chosen + rng.integers(0, room, shape), places - 1).astype(np.int32)
    dst[rng.random(shape) >= rng.random((slots, 1))] = -1
    return dst


# A sequence (bench.sequence.Sequence) or a test (bench.test.BenchTest) as a class; or a function: a
# generator of items, given a Stimulus, or a coroutine that starts others, given its sequence.
Body = Callable[..., object]
Given = TypeVar("Given", bound=Body)


@dataclass(frozen=True)
class Scenario:
    """A test.

    Attributes
    ----------
    body : what it starts.
    agent : "FRAME", "CLASSIC" or PASSIVE.
    schedule : slots to program a SCHEDULED network with, given the stimulus.
    unless : why a network is not for this test, or None.
    seed : of the network's own random numbers, given the stimulus; None: any.
    alone : packets go one by one, so its faults are the easiest to read.
    """

    name: str
    summary: str
    body: Body
    agent: str = "FRAME"
    schedule: Callable[[Stimulus], Int32Array] | None = None
    unless: Callable[..., str | None] | None = None
    seed: Callable[[Stimulus], int] | None = None
    alone: bool = False

    def unfit(self, network: Network) -> str | None:
        """Why this test makes no sense for a network, or None."""
        return self.unless(network) if self.unless is not None else None


class Registry(dict[str, Scenario]):
    """The tests of a network: what is decorated becomes one, its docstring the summary."""

    def add(
        self,
        agent: str = "FRAME",
        schedule: Callable[[Stimulus], Int32Array] | None = None,
        unless: Callable[..., str | None] | None = None,
        name: str | None = None,
        seed: Callable[[Stimulus], int] | None = None,
        alone: bool = False,
    ) -> Callable[[Given], Given]:
        """Register a class or a function, by default under its name in lower case."""

        def register(body: Given) -> Given:
            known = name or re.sub("(?<=[a-z])(?=[A-Z])", "_", body.__name__).lower()
            summary = (body.__doc__ or "").split("\n")[0]
            made = Scenario(known, summary, body, agent, schedule, unless, seed, alone)
            self.enter(known, made)
            return body

        return register

    def enter(self, name: str, scenario: Scenario) -> None:
        """Register a scenario."""
        self[name] = scenario


def _unwatched(network: Network) -> str | None:
    layout = getattr(network, "layout", None)
    if PASSIVE not in network.about.agents:
        return "its monitors need its player"
    if not getattr(layout, "headers", True):
        return "packets without headers do not say where they go"
    recorded, entries = (getattr(layout, name, None) for name in ("recorded", "entries"))
    if recorded is not None and not (recorded.compared and entries is None):
        return "the clock-exact model alone does not know it (ASYNC, EXACT=0, tables)"
    return None


# What a larger design sends through a network in it.
WATCH = Scenario(
    "watch",
    "whatever a design of your own sends through the network",
    lambda stimulus: iter(()),
    PASSIVE,
    unless=_unwatched,
)
