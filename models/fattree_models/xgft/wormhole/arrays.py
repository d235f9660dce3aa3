"""What the kernel works on, from the description of a network."""

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.xgft.wormhole import kernel
from fattree_models.xgft.wormhole.network import Network
from fattree_models.xgft.wormhole.wiring import UP, Switches, Wiring

ROUTINGS = {
    "DMODK": kernel.DMODK,
    "SMODK": kernel.SMODK,
    "RANDOM": kernel.RANDOM,
    "ADAPTIVE": kernel.ADAPTIVE,
    "TWO": kernel.TWO,
    "TB": kernel.TURN,
    "TBWP": kernel.TURN,
    "TABLES": kernel.TABLE,
}


def rules(network: Network, wiring: Wiring) -> kernel.Rules:
    """Return what does not change."""
    parts = wiring.switches
    shift = (network.vcs - 1).bit_length()
    sizes = ((parts.ins << shift) + 63) >> 6
    word = np.concatenate(([0], np.cumsum(sizes)))
    port = np.arange(int(parts.ins.sum())) - np.repeat(parts.first_in, parts.ins)
    table, row = _tables(network, parts)
    masks = [sum(1 << vc for vc in network.class_vcs(kind)) for kind in (0, 1)]
    many = network.lateral == "MANY"
    hold = np.full(len(parts), network.routing not in ("ADAPTIVE", "TWO"))
    hold[parts.role == UP] = ((parts.parents == 0) & (parts.roots > 0) & many)[parts.role == UP]
    return kernel.Rules(
        vcs=network.vcs,
        shift=shift,
        depth=network.depth,
        ring=1 << (network.depth - 1).bit_length(),
        stages=network.stages,
        ahead=bool(network.ahead),
        ways=network.ways,
        per_way=network.vcs // network.ways,
        keep=network.vc_mode == "KEEP",
        classes=network.classes,
        matrix=network.arbiter == "MATRIX",
        vc_matrix=network.oldest_first,
        routing=ROUTINGS[network.routing],
        top=network.climb == "TOP",
        tbwp=network.routing == "TBWP",
        many=many,
        tbch=network.tbch,
        long=network.long,
        class_mask=np.array(masks),
        hold=hold,
        turns=parts.role == UP,
        number=parts.number,
        ins=parts.ins,
        outs=parts.outs,
        children=parts.children,
        parents=parts.parents,
        unit=parts.unit,
        span=parts.span,
        below=parts.number // parts.group,
        group=parts.group,
        roots=parts.roots,
        first_in=parts.first_in,
        first_out=parts.first_out,
        word=word,
        word_of=(np.repeat(word[:-1], parts.ins) << 6) + (port << shift),
        table=table,
        table_row=row,
        target=wiring.target,
        feeder=wiring.feeder,
        outputs=int(parts.outs.sum()),
    )


def _tables(network: Network, parts: Switches) -> tuple[np.ndarray, Int64Array]:
    """Return all forwarding tables in one row, and where that of each switch begins."""
    if network.tables is None:
        return np.zeros(1, np.int16), np.zeros(len(parts), np.int64)
    rows = [
        network.tables.ports[level][number]
        for level, number in zip(parts.level.tolist(), parts.number.tolist(), strict=True)
    ]
    return np.concatenate(rows), np.arange(len(parts)) * network.tables.addresses


def state(network: Network, wiring: Wiring, rules: kernel.Rules) -> kernel.State:
    """Return the registers of the switches, and the credits of the leaves, after a reset."""
    parts, vcs, shift = wiring.switches, network.vcs, rules.shift
    lanes, outs = int(parts.ins.sum()) << shift, rules.outputs
    lane = np.zeros((lanes, 8), np.int32)
    lane[:, kernel.VC] = -1
    words, switches = int(rules.word[-1]), len(parts)
    most = int(parts.ins.max())
    full = (1 << vcs) - 1
    return kernel.State(
        queue=np.zeros((lanes, rules.ring), np.int64),
        lane=lane,
        waiting=np.zeros(words, np.uint64),
        active=np.zeros(words, np.uint64),
        credit=np.full(wiring.links << shift, network.depth, np.int32),
        free=np.full(outs, full),
        home=np.full(outs, full),
        room=np.full(outs, vcs * network.depth),
        vc_arbiter=_arbiters(outs, most << shift, rules.vc_matrix),
        way_arbiter=_way_arbiters(lanes, shift, rules),
        port_arbiter=_arbiters(outs, most * network.ways, rules.matrix),
        random=np.zeros(switches, np.int64),
        drawn=np.zeros(switches, np.int64),
    )


def _arbiters(count: int, requesters: int, matrix: bool) -> Int64Array:
    """Return pointers, or clocks of the last grant: before all others, in the order of numbers."""
    if not matrix:
        return np.zeros((count, 1), np.int64)
    return np.tile(np.arange(-requesters, 0), (count, 1))


def _way_arbiters(lanes: int, shift: int, rules: kernel.Rules) -> Int64Array:
    if not rules.matrix:
        return np.zeros((lanes >> shift) * rules.ways, np.int64)
    return np.tile(np.arange(-(1 << shift), 0), lanes >> shift)


def leaves(rules: kernel.Rules, network: Network) -> kernel.Leaves:
    """Return the registers of the leaves after a reset, without a list."""
    count = network.leaves
    lanes = count << rules.shift
    columns = [np.zeros(count, np.int64) for _ in range(10)]
    holds, owes, turn, last, _, waiting, oldest, newest, first, end = columns
    return kernel.Leaves(
        held=np.full(lanes, -1),
        index=np.zeros(lanes, np.int64),
        due=np.zeros(lanes, np.int64),
        holds=holds,
        owes=owes,
        turn=turn,
        last=last,
        last_clock=np.full(count, -2),
        waiting=waiting,
        oldest=oldest,
        newest=newest,
        next=first,
        end=end,
        following=np.full(1, -1),
    )


def links(rules: kernel.Rules, network: Network) -> kernel.Links:
    """Return links on which nothing is."""
    count = rules.target.size
    far = np.zeros((network.long + 1, network.leaves, 2), np.int64)
    far[..., 0] = -1
    return kernel.Links(
        flit_lane=np.zeros((2, count), np.int64),
        flit=np.zeros((2, count), np.int64),
        credit=np.zeros((2, count * network.vcs), np.int64),
        used=np.zeros((2, 2), np.int64),
        far=far,
        near=np.zeros((network.long + 1, network.leaves), np.int64),
        back=np.zeros(network.leaves, np.int64),
    )


def scratch(rules: kernel.Rules) -> kernel.Scratch:
    """Return room for the choices of one switch."""
    outs, lanes = int(rules.outs.max()), int(rules.ins.max()) << rules.shift
    return kernel.Scratch(
        key=np.full(outs, kernel.NEVER),
        who=np.zeros(outs, np.int64),
        vc=np.zeros(outs, np.int64),
        asked=np.zeros(outs, np.int64),
        kept=np.zeros(lanes, np.int64),
        before=np.zeros((lanes + 63) >> 6, np.uint64),
    )
