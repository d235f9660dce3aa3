"""What plays a fabric of a user in RTL: a family's topology.py offers PLAYER, one of these."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from fattree_models.common.checks import Int64Array


class Player(Protocol):
    """Plays the network that a file describes."""

    def variables(
        self, given: Mapping[str, str], source: Int64Array, destination: Int64Array, folder: Path
    ) -> dict[str, str]:
        """Variables of a simulation in which a packet goes from each source to its destination.

        `given`: those that describe it; sources and destinations are numbers of hosts.  Packets are
        written into the folder.
        """

    def loads(self, network: Any, run: Path) -> Int64Array:
        """What the channels carried in RTL, int64 [channels], by the files that a run left."""
