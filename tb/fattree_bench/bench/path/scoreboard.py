"""Delivery on the flit link, and ways over the links that the RTL shows."""

from collections.abc import Sequence

from pyuvm import uvm_component

from fattree_bench.bench.levels import Supplied
from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.promises import LevelCheck
from fattree_bench.bench.links.flit.scoreboard import FlitScoreboard
from fattree_bench.bench.links.flit.sent import FlitLink, FlitOver
from fattree_bench.bench.path.ways import Ways


class PathScoreboard(FlitScoreboard):
    """Expects what every flit link must do, and ways that the structure of the network has.

    Parameters
    ----------
    ways : None if no link is shown.
    """

    def __init__(
        self,
        name: str,
        parent: uvm_component,
        link: FlitLink,
        supplied: Supplied,
        ways: Ways | None,
        checks: Sequence[LevelCheck] = (),
    ) -> None:
        super().__init__(name, parent, link, supplied, [*([ways.judge] if ways else []), *checks])
        self.ways = ways

    def write(self, captured: FlitCaptured) -> None:
        """Check what arrived, and note what passed the links."""
        super().write(captured)
        if self.ways is not None:
            self.ways.note(captured)

    def waits(self, over: FlitOver) -> list[str]:
        """Links whose packets wait for each other in a cycle."""
        return self.ways.waits(over) if self.ways is not None else []
