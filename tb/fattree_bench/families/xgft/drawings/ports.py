"""What a switch says of its ports, inside its box; links with the directions that matter."""

from collections.abc import Iterable, Iterator

import numpy as np

from fattree_bench.report.diagram import TINY, Point, Sheet, parallel
from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.routing import Climb
from fattree_models.xgft import Xgft, routes, walk

ALONG = 760.0
WIDE, THICK = 132.0, 50.0  # a switch that has room for words at its ports
WAY = 2.6  # width of a link on a route that is shown
UP, DOWN = "up", "down"

Port = tuple[int, int, int]  # level, node, port


def pairs(leaves: int) -> tuple[Int64Array, Int64Array]:
    """All pairs of different leaves."""
    src, dst = np.divmod(np.arange(leaves**2), leaves)
    return src[src != dst], dst[src != dst]


def passed(tree: Xgft, routing: str, climb: Climb = "NCA") -> Iterator[tuple[int, int, Port]]:
    """(source, destination, output port) of every hop of all pairs, by D-mod-k or S-mod-k."""
    src, dst = pairs(tree.leaves)
    ports = routes(tree, src, dst, "DMODK" if routing == "DMODK" else "SMODK", climb)
    way = walk(tree, src, ports)
    for pair, hop in np.argwhere(ports >= 0).tolist():
        at = int(way.level[pair, hop]), int(way.node[pair, hop]), int(ports[pair, hop])
        yield int(src[pair]), int(dst[pair]), at


def names(numbers: Iterable[int]) -> str:
    """Leaves, a port's."""
    return ",".join(map(str, sorted(numbers)))


def at_port(sheet: Sheet, at: Point, side: int, words: str) -> None:
    """Words inside a box, at a port above (1) or below (-1)."""
    x, y = at
    sheet.text(words, x, y + (0.5 * TINY + 7 if side > 0 else -5), "tiny middle")


def way(sheet: Sheet, low: Point, high: Point, climbs: bool, descends: bool) -> None:
    """A link, with the directions in which it is on a route that is shown."""
    if climbs and descends:
        sheet.line(parallel(low, high, -3), UP, WAY, arrow=True)
        sheet.line(parallel(high, low, -3), DOWN, WAY, arrow=True)
    elif climbs:
        sheet.line([low, high], UP, WAY, arrow=True)
    elif descends:
        sheet.line([high, low], DOWN, WAY, arrow=True)
    else:
        sheet.line([low, high], "idle", 1.5)
