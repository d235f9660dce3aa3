"""Turn-back nodes: an up switch (U) and a down switch (D) each, joined by turn-back channels."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from fattree_bench.families.xgft.drawings.ports import ALONG
from fattree_bench.families.xgft.drawings.trees import BOX, MARGIN
from fattree_bench.report.diagram import Point, Rows, Sheet, loaded
from fattree_bench.report.svg import PAD, Key
from fattree_models.turnback.dependencies import deadlock
from fattree_models.turnback.routing import Channel, Turnback, behind, entries, next_channels
from fattree_models.xgft import kary

NODE, THICK = 124.0, 44.0
SWITCH = (40.0, 32.0)
ASIDE = (NODE - SWITCH[0]) / 2 - 4  # from the middle of a node to that of its switch
TRACK = 13.0  # between lateral links
KINDS = {
    "UP": Key("up", "up"),
    "LATERAL": Key("lateral", "from root to root"),
    "TURN": Key("turn", "turn back"),
    "DOWN": Key("down", "down"),
}
LETTERS = Key("", "U: up switch, D: down switch", 0)

TREE = kary(2, 3)


class Shades(NamedTuple):
    """Classes of channels, and of the links from leaves; what is in neither is idle."""

    channels: Mapping[Channel, str]
    leaves: Mapping[int, str]


def shared(title: str) -> str:
    """TB, all pairs, each choice taken equally often: packets on every channel."""
    net = Turnback(TREE, routing="TB")
    loads: Counter[Channel] = Counter()
    for src in range(TREE.leaves):
        for dst in set(range(TREE.leaves)) - {src}:
            spread(net, entries(net, src, dst), dst, Fraction(1), loads)
    sent = float(TREE.leaves - 1)
    classes, keys = loaded([sent, *map(float, loads.values())], "packets on a channel:")
    channels = {channel: classes[float(load)] for channel, load in loads.items()}
    leaves = dict.fromkeys(range(TREE.leaves), classes[sent])
    return drawn(net, title, Shades(channels, leaves), [LETTERS, *keys])


def spread(
    net: Turnback, choices: list[Channel], dst: int, share: Fraction, loads: Counter[Channel]
) -> None:
    """Add what a share of a packet loads, taking all choices alike."""
    for channel in choices:
        part = share / len(choices)
        loads[channel] += part  # type: ignore[assignment]  # Counter is typed for int alone
        spread(net, next_channels(net, channel, dst), dst, part, loads)


def allowed(title: str, src: int, dst: int) -> str:
    """TBWP: the channels that a packet may take."""
    net = Turnback(TREE, root_links=1)
    found: set[tuple[Channel, int]] = set()
    rest = [(channel, 0) for channel in entries(net, src, dst)]
    while rest:
        channel, laterals = rest.pop()
        laterals += channel.kind == "LATERAL"
        if (channel, laterals) not in found:
            found.add((channel, laterals))
            rest += [(after, laterals) for after in next_channels(net, channel, dst, laterals)]
    channels = {channel: KINDS[channel.kind].name for channel, _ in found}
    return drawn(net, title, Shades(channels, {src: "up"}), [LETTERS, *KINDS.values()])


def circle(title: str) -> str:
    """TBWP with many lateral hops: channels that wait for each other."""
    net = Turnback(TREE, root_links=1, lateral=None)
    channels = {channel: KINDS[channel.kind].name for channel in deadlock(net) or ()}
    waiting = Key("lateral", "each of these may wait for the next")
    return drawn(net, title, Shades(channels, {}), [LETTERS, waiting])


def drawn(net: Turnback, title: str, shades: Shades, keys: list[Key]) -> str:
    """A network whose channels have these classes."""
    tree = net.tree
    sheet = Sheet(title, MARGIN + ALONG + PAD)
    rows = Rows(
        counts=[tree.level_size(level) for level in range(tree.height + 1)],
        left=MARGIN,
        top=sheet.top + 3 * TRACK * bool(net.root_links),
        along=ALONG,
        gaps=[46.0, *[76.0] * (tree.height - 1)],
        longest=[28.0, *[NODE] * tree.height],
        thick=[BOX, *[THICK] * tree.height],
    )
    for level, count in enumerate(rows.counts):
        sheet.beside(rows.centre(level, 0)[1], [f"level {level}" if level else "leaves"])
        for node in range(count):
            (turning if level else leaf)(net, sheet, rows, (level, node), shades)
    return sheet.drawn(rows.bottom, keys)


def leaf(net: Turnback, sheet: Sheet, rows: Rows, at: tuple[int, int], shades: Shades) -> None:
    """A leaf and its link up."""
    (_, node), m = at, net.tree.m[0]
    x, y = rows.centre(0, node)
    sheet.box(x, y, rows.size(0), "box", str(node))
    end = port(rows, (1, node // m), "U", -1, (node % m, m))
    link(sheet, [(x - 6, y - BOX / 2), end], shades.leaves.get(node))


def turning(net: Turnback, sheet: Sheet, rows: Rows, at: tuple[int, int], shades: Shades) -> None:
    """A node and all of its channels."""
    level, node = at
    x, y = rows.centre(level, node)
    sheet.box(x, y, (NODE, THICK), "node")
    sheet.box(x - ASIDE, y, SWITCH, "box", f"U{node}")
    sheet.box(x + ASIDE, y, SWITCH, "box", f"D{node}")
    kinds = {"TURN": net.tbch, "DOWN": net.tree.down_ports(level)}
    kinds |= {"LATERAL" if level == net.tree.height else "UP": net.ahead(level)}
    for kind, count in kinds.items():
        for number in range(count):
            channel = Channel(kind, level, node, number)  # type: ignore[arg-type]
            link(sheet, line(net, rows, channel), shades.channels.get(channel))


def line(net: Turnback, rows: Rows, channel: Channel) -> list[Point]:
    """The way of a channel over the sheet."""
    (kind, level, node, number), tree = channel, net.tree
    at, to = (level, node), behind(net, channel)
    if kind == "TURN":
        x, y = rows.centre(*at)
        y += 9 * (number - (net.tbch - 1) / 2)
        inner = ASIDE - SWITCH[0] / 2
        return [(x - inner, y), (x + inner, y)]
    if kind == "UP":
        place = int(tree.up(level, [node], [number])[1][0])
        start = port(rows, at, "U", 1, (number, tree.up_ports(level)))
        return [start, port(rows, to, "U", -1, (place, tree.down_ports(to[0])))]
    if kind == "DOWN":
        start = port(rows, at, "D", -1, (number, tree.down_ports(level)))
        if to[0]:
            place = int(tree.arrival(level, [node])[0])
            return [start, port(rows, to, "D", 1, (place, tree.up_ports(to[0])))]
        x, y = rows.centre(*to)
        return [start, (x + 6, y - BOX / 2)]
    start, end = port(rows, at, "U", 1, (1, 2)), port(rows, to, "U", 1, (0, 2))
    over = start[1] - TRACK * (1 if abs(end[0] - start[0]) < ALONG / 2 else 2)
    return [start, (start[0], over), (end[0], over), end]


def port(rows: Rows, at: tuple[int, int], switch: str, side: int, number: tuple[int, int]) -> Point:
    """Where port `number` (which, of how many) of a node's switch is, above (1) or below (-1)."""
    x, y = rows.centre(*at)
    x += ASIDE if switch == "D" else -ASIDE
    which, of = number
    return x + ((which + 0.5) / of - 0.5) * (SWITCH[0] - 4), y - side * SWITCH[1] / 2


def link(sheet: Sheet, points: list[Point], name: str | None) -> None:
    """A channel, or a link of a leaf."""
    sheet.line(points, name or "idle", 2.2 if name else 1.4, arrow=True)
