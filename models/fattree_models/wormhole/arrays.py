"""What the kernel works on, from the description of a network."""

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.wormhole import kernel
from fattree_models.wormhole.item import Answer, Item
from fattree_models.wormhole.network import FREE, Network
from fattree_models.wormhole.wiring import UP, Switches, Wiring

ROUTINGS = {
    "DMODK": kernel.DMODK,
    "SMODK": kernel.SMODK,
    "RANDOM": kernel.RANDOM,
    "ADAPTIVE": kernel.ADAPTIVE,
    "TWO": kernel.TWO,
    "TB": kernel.TURN,
    "TBWP": kernel.TURN,
    "TABLES": kernel.TABLE,
    "ECMP": kernel.ECMP,
    "RR": kernel.RR,
    "FLOWLET": kernel.FLOWLET,
    "DRILL": kernel.DRILL,
}

COLUMNS = {
    kernel.FIRST_IN: "first_in",
    kernel.FIRST_OUT: "first_out",
    kernel.CHILDREN: "children",
    kernel.PARENTS: "parents",
    kernel.UNIT: "unit",
    kernel.SPAN: "span",
    kernel.GROUP: "group",
    kernel.ROOTS: "roots",
}


def rules(network: Network, wiring: Wiring, answer: Answer | None) -> kernel.Rules:
    """Return the variables."""
    masks = [sum(1 << vc for vc in network.class_vcs(kind)) for kind in (0, 1)]
    shift, per_way = (network.vcs - 1).bit_length(), network.vcs // network.ways
    return kernel.Rules(
        vcs=network.vcs,
        shift=shift,
        mask=(1 << shift) - 1,
        depth=network.depth,
        ring=1 << (network.depth - 1).bit_length(),
        ring_bits=(network.depth - 1).bit_length(),
        stages=network.stages,
        ahead=network.ahead,
        ways=network.ways,
        per_way=per_way,
        way_of=sum(vc // per_way << 4 * vc for vc in range(network.vcs)),
        keep=network.vc_mode == "KEEP",
        classes=network.classes,
        requests=masks[0],
        replies=masks[1],
        matrix=network.arbiter == "MATRIX",
        vc_matrix=network.oldest_first,
        routing=ROUTINGS[network.routing],
        top=network.climb == "TOP",
        tbwp=network.routing == "TBWP",
        many=network.lateral == "MANY",
        tbch=network.tbch,
        long=network.long,
        outputs=int(wiring.switches.outs.sum()),
        answer=answer is not None,
        limit=answer.limit if answer else 0,
        gap=network.gap,
        entries=network.entries,
    )


def map_of(network: Network, wiring: Wiring, rules: kernel.Rules) -> kernel.Map:
    """Return what leads where."""
    parts = wiring.switches
    switch = np.zeros((len(parts), 19), np.int64)
    for column, name in COLUMNS.items():
        switch[:, column] = getattr(parts, name)
    around = parts.ins << rules.shift
    ends = np.cumsum((around + 63) >> 6)
    table, row = _tables(network, parts)
    switch[:, kernel.WORD], switch[:, kernel.WORDS] = ends - ((around + 63) >> 6), ends
    switch[:, kernel.HOLD] = network.routing not in FREE
    hashes = network.salt == "OWN" and network.routing in ("ECMP", "FLOWLET")
    if hashes and isinstance(tree := network.tree, Xgft):
        first = np.cumsum([0, *(tree.level_size(k) for k in range(tree.first, tree.height))])
        switch[:, kernel.SALT] = first[parts.level - tree.first] + parts.number
    switch[:, kernel.FLOWS] = int(parts.ins.sum()) + np.arange(len(parts)) * network.entries
    many = (parts.parents == 0) & (parts.roots > 0) & (network.lateral == "MANY")
    up = parts.role == UP
    switch[up, kernel.HOLD] = many[up]
    switch[:, kernel.TURNS] = up
    switch[:, kernel.LOW] = parts.number // parts.group * parts.span
    switch[:, kernel.FIRST_LANE] = parts.number * parts.ins * network.vcs
    switch[:, kernel.AROUND], switch[:, kernel.WAYS] = around, parts.ins * network.ways
    switch[:, kernel.ROW] = row
    port = np.arange(int(parts.ins.sum())) - np.repeat(parts.first_in, parts.ins)
    bit = (np.repeat(switch[:, kernel.WORD], parts.ins) << 6) + (port << rules.shift)
    return kernel.Map(switch, table, wiring.target, wiring.feeder, bit)


def _tables(network: Network, parts: Switches) -> tuple[kernel.Int16Array, Int64Array]:
    """Return all forwarding tables in one row, and where each switch's begins."""
    if network.tables is None:
        return np.zeros(1, np.int16), np.zeros(len(parts), np.int64)
    rows = [
        network.tables.ports[level][number]
        for level, number in zip(parts.level.tolist(), parts.number.tolist(), strict=True)
    ]
    return np.concatenate(rows), np.arange(len(parts)) * network.tables.addresses


def state(network: Network, wiring: Wiring, rules: kernel.Rules) -> kernel.State:
    """Return the registers of the switches, and the credits of the leaves, after a reset."""
    parts, shift, outs = wiring.switches, rules.shift, rules.outputs
    lanes, most = int(parts.ins.sum()) << shift, int(parts.ins.max())
    lane = np.zeros((lanes, 1 << int(kernel.ROW_OF_LANE)), np.int32)
    lane[:, kernel.VC] = -1
    link = np.zeros((wiring.links, 3), np.int32)
    link[:, kernel.FREE] = (1 << network.vcs) - 1
    words = int(((parts.ins << shift) + 63 >> 6).sum())
    ways = _grants(lanes >> shift, 1 << shift, 1 << shift).reshape(-1)
    if not rules.matrix:
        ways = np.zeros((lanes >> shift) * rules.ways, np.int64)
    return kernel.State(
        queue=np.zeros(lanes * rules.ring, np.int64),
        lane=lane.reshape(-1),
        waiting=np.zeros(words, np.uint64),
        active=np.zeros(words, np.uint64),
        link=link,
        left=np.full(wiring.links << shift, network.depth, np.int32),
        vc_grant=_grants(outs if rules.vc_matrix else 1, most << shift, most << shift),
        way_grant=ways,
        port_grant=_grants(outs if rules.matrix else 1, most * network.ways, most),
        random=np.zeros((len(parts), 2), np.int64),
        pace=np.stack((wiring.ratio, wiring.ratio * 0), 1),
        spread=_spread(network, parts),
    )


def _spread(network: Network, parts: Switches) -> Int64Array:
    """Return what switches remember of packets before, after a reset: see `kernel.State`."""
    if network.routing not in ("RR", "FLOWLET", "DRILL"):
        return np.zeros((1, 2), np.int64)
    port = np.arange(int(parts.ins.sum())) - np.repeat(parts.first_in, parts.ins)
    found = np.zeros((len(port) + len(parts) * network.entries, 2), np.int64)
    if network.routing == "RR":
        found[: len(port), 1] = port % np.maximum(np.repeat(parts.parents, parts.ins), 1)
    else:
        found[:, 1] = -kernel.NEVER
    return found


def _grants(count: int, requesters: int, before: int) -> Int64Array:
    """Return clocks of last grants: before all others, in the order of numbers."""
    return np.tile(np.arange(requesters) - requesters - before, (count, 1))


def leaves(network: Network, rules: kernel.Rules) -> kernel.Leaves:
    """Return the registers of the leaves after a reset, without a list."""
    leaf = np.zeros((network.leaves, 13), np.int64)
    leaf[:, [kernel.LAST_CLOCK, kernel.CAME]] = -2
    leaf[:, kernel.DUE_AT] = kernel.NEVER
    lanes = np.zeros((network.leaves << rules.shift, 3), np.int64)
    lanes[:, kernel.HELD] = -1
    return kernel.Leaves(leaf, lanes)


def links(network: Network, wiring: Wiring) -> kernel.Links:
    """Return links on which nothing is."""
    far = np.zeros((network.long + 1, network.leaves, 2), np.int64)
    far[..., 0] = -1
    return kernel.Links(
        flit=np.zeros((wiring.links, 2), np.int64),
        credit=np.zeros(wiring.links * network.vcs, np.int64),
        counts=np.zeros(2, np.int64),
        far=far,
        near=np.zeros((network.long + 1, network.leaves), np.int64),
    )


def packets(item: Item, first: int) -> tuple[Int64Array, Int64Array]:
    """Return the packets of an item that begins in clock `first`, and their fates.

    The last packet is none: lists that have ended look at it.
    """
    packet = np.zeros((item.source.size + 1, 8), np.int64)
    columns = {
        kernel.DESTINATION: item.destination,
        kernel.ADDRESS: item.address,
        kernel.SOURCE: item.source,
        kernel.KIND: item.kind,
        kernel.RELEASE: item.release + first,
        kernel.FLITS: item.flits,
    }
    for column, values in columns.items():
        packet[:-1, column] = values
    return packet, np.full((item.source.size, 3), -1)


def scratch(wiring: Wiring, rules: kernel.Rules) -> kernel.Scratch:
    """Return room for the choices of one switch."""
    parts = wiring.switches
    outs, lanes = int(parts.outs.max()), int(parts.ins.max()) << rules.shift
    return kernel.Scratch(
        best=np.full(outs, kernel.NEVER),
        asked=np.zeros(outs + 1, np.int64),
        kept=np.zeros(lanes, np.int64),
        before=np.zeros((lanes + 63) >> 6, np.uint64),
    )
