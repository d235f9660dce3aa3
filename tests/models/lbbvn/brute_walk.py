"""The rules of the fat-tree walked literally: node by node, lane by lane, packet by packet.

Nothing here knows about loads, ranks or orders, and nothing is shared with the models.  A packet
is its source; a list of lanes holds sources or None.
"""

from dataclasses import dataclass, field


@dataclass
class Walk:
    """What happened to the packets of one slot."""

    lost: dict[int, tuple[int, bool]] = field(default_factory=dict)
    arrived: dict[int, int] = field(default_factory=dict)
    used_up: dict[tuple[int, int], int] = field(default_factory=dict)
    used_down: dict[tuple[int, int], int] = field(default_factory=dict)

    def concentrate(self, inputs, wanted, size, level, down):
        """Pass the first `size` requesting inputs onto lanes 0, 1, ...; book the others as lost."""
        lanes = [None] * size
        free = 0
        for packet in inputs:
            if packet is None or not wanted(packet):
                continue
            if free < size:
                lanes[free] = packet
                free += 1
            else:
                self.lost[packet] = (level, down)
        return lanes


def members(n, j, k):
    """S(j, k) by recursion over the children, not by arithmetic on indices of leaves."""
    if j == n:
        return {k}
    return members(n, j + 1, 2 * k) | members(n, j + 1, 2 * k + 1)


def walk_slot(dst, c, static_upper=False):
    """Walk one slot; `dst` is a list of destinations, -1 = idle."""
    leaves = len(dst)
    n = len(c) - 1
    walk = Walk()
    top = n // 2 if static_upper else 0
    up = {}
    down = {}

    def wants(targets):
        return lambda packet: dst[packet] in targets

    for x in range(leaves):
        up[n, x] = [x if dst[x] >= 0 and dst[x] != x else None]
    for j in range(n - 1, top - 1, -1):
        for k in range(2**j):
            inputs = up[j + 1, 2 * k] + up[j + 1, 2 * k + 1]
            outside = set(range(leaves)) - members(n, j, k)
            if j > top:
                up[j, k] = walk.concentrate(inputs, wants(outside), c[j], j, False)
            elif j > 0:
                up[j, k] = wires_up(walk, inputs, dst, n, top, k)
    if top == 0:
        down[0, 0] = []
    else:
        group = 2 ** (n - 2 * top)
        for k in range(2**top):
            down[top, k] = [None] * ((2**top - 1) * group)
        for k in range(2**top):
            for other in range(2**top):
                if other != k:
                    here = ((k ^ other) - 1) * group
                    there = ((other ^ k) - 1) * group
                    for place in range(group):
                        down[top, other][there + place] = up[top, k][here + place]
    for j in range(top, n):
        for k in range(2**j):
            for b in (0, 1):
                inputs = down[j, k] + up[j + 1, 2 * k + 1 - b]
                inside = members(n, j + 1, 2 * k + b)
                down[j + 1, 2 * k + b] = walk.concentrate(
                    inputs, wants(inside), c[j + 1], j + 1, True
                )
    for y in range(leaves):
        port = down[n, y] + [y if dst[y] == y else None]
        (arrived,) = walk.concentrate(port, lambda p: True, 1, n + 1, True)
        if arrived is not None:
            walk.arrived[y] = arrived
    for lanes, used in ((up, walk.used_up), (down, walk.used_down)):
        for (j, k), carried in lanes.items():
            if j > 0:
                used[j, k] = sum(packet is not None for packet in carried)
    return walk


def wires_up(walk, inputs, dst, n, h, k):
    """The concentrators in front of the fixed wires of node (h, k), one for each other node."""
    group = 2 ** (n - 2 * h)
    lanes = [None] * ((2**h - 1) * group)
    for other in range(2**h):
        if other == k:
            continue
        inside = members(n, h, other)
        first = ((k ^ other) - 1) * group
        lanes[first : first + group] = walk.concentrate(
            inputs, lambda p, inside=inside: dst[p] in inside, group, h, False
        )
    return lanes
