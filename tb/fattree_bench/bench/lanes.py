"""What meters at channels saw of a run, by direction and level, and what the model expects."""

from collections.abc import Mapping
from typing import NamedTuple

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Faults
from fattree_bench.bench.handles import root
from fattree_bench.bench.interface.lanes import WAYS, Channels
from fattree_bench.bench.network import Network
from fattree_models.common.checks import Int64Array


class Level(NamedTuple):
    """Channels of a level in one direction, in the RTL.

    Attributes
    ----------
    lanes : of each channel.
    busiest : most lanes of one channel that carried something at once, since the last reset.
    """

    lanes: int | None = None
    busiest: int | None = None


Lanes = Mapping[tuple[str, int], Level]  # by way and level; empty if the RTL has other channels


def read(network: Network, faults: Faults) -> Lanes:
    """Read the meters, if there are any; channels of a level that are not alike are a fault."""
    found: dict[tuple[str, int], Level] = {}
    channels = network.rtl.interfaces[0].meters
    if not isinstance(channels, Channels):
        return found
    for way, level, name in channels.meters():
        if (meter := getattr(root(), name, None)) is None:
            return {}
        narrowest, widest, busiest = (
            int(getattr(meter, f"seen_{what}").value) for what in ("narrowest", "widest", "busiest")
        )
        if narrowest != widest:
            told = f"level {level} {way}: channels of {narrowest} … {widest} lanes"
            faults.add(kind.LANES, told)
        found[way, level] = Level(widest, busiest)
    return found


def compare(lanes: Lanes, used: Int64Array, faults: Faults) -> None:
    """As many lanes in use as the model says, `used` [2, levels]; other faults explain the rest."""
    if faults:
        return
    for (way, level), seen in lanes.items():
        want = int(used[WAYS.index(way), level])
        if seen.busiest != want:
            told = f"level {level} {way}: {seen.busiest} lanes of a channel in use, {want} expected"
            faults.add(kind.LANES, told)
