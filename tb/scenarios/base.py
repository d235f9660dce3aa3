"""What a scenario is: a name, a sentence, and a generator of frames."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from models.checks import Int32Array
from tb.links.slot import SlotFrame
from tb.networks.base import SlotNetwork


@dataclass
class Stimulus:
    """What a scenario may use: the network and its own random numbers.

    `slots` is how many slots random traffic should have: fewer where the simulator is slow.
    `schedule` is what a SCHEDULED network is programmed with; None
    under other control.
    """

    network: SlotNetwork
    rng: np.random.Generator
    slots: int
    schedule: Int32Array | None = field(default=None)


Frames = Callable[[Stimulus], Iterator[SlotFrame]]


@dataclass(frozen=True)
class Scenario:
    """A test.

    Attributes
    ----------
    agent : "FRAME" or "CLASSIC".
    schedule : slots to program a SCHEDULED network with, given the stimulus; None: not for it.
    """

    name: str
    summary: str
    frames: Frames
    agent: str = "FRAME"
    schedule: Callable[[Stimulus], Int32Array] | None = None

    def unfit(self, network: SlotNetwork) -> str | None:
        """Why this test makes no sense for a network, or None."""
        if network.control == "SCHEDULED" and self.schedule is None:
            return "its traffic is not a schedule that is free of conflicts"
        return None
