"""What plays a fat-tree of a user in RTL: a family's topology.py offers PLAYER, one of these."""

from pathlib import Path
from typing import Protocol

from fattree_models.common.checks import Int64Array
from fattree_models.topology import Match, Routes


class Player(Protocol):
    """Builds networks of the shape of a match."""

    def unfit(self, found: Match, routes: Routes) -> str:
        """Why it cannot play these routes, in a few words; empty: it can."""

    def variables(self, found: Match, routes: Routes, folder: Path) -> dict[str, str]:
        """Variables of a simulation in which every host sends to every other.

        Forwarding tables and packets are written into the folder.
        """

    def loads(self, found: Match, routes: Routes, run: Path) -> Int64Array:
        """What the channels carried in RTL, int64 [channels], by the files that a run left."""
