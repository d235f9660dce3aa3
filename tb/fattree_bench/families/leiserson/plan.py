"""What a message set must lead to, worked out once an item by the reference model."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.families.leiserson.network import Leiserson
from fattree_models import leiserson as lei
from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, IntegerArray, UInt8Array

MOST_CYCLES = 1 << 16  # delivery cycles of a queue


@dataclass(frozen=True)
class Plan:
    """The expectation for one item; C delivery cycles are captured, S wires each way.

    Attributes
    ----------
    cycles : C.
    seed : of the senders' LFSRs.
    number : int64 [C], number of each since the last restart.
    waiting : int64 [C, S], messages of a wire of a queue at the load clock, the one that it holds
        included, those behind not; [0, S] if each is sent once.
    row : int32 [C, S], row of the item that each wire sends, -1 if it is silent.
    outcome : what the model says of these cycles.
    sent, acked, arrived, trailing : packed bits [C, bytes], little-endian.
    ack_tick, tick : uint16 [C, S], 0 where nothing comes.
    from_row : intp [C, S], row of the message that arrives at a wire; 0 where none.
    from_wire : intp [C, S], its sender; 0 where none.
    receives : words [C, S], all ones where a message arrives.
    lost : int64 [C, 2 (n + 1)], losses by level of the channel, up, then down.
    messages, delivered, lost_messages, discarded, given_up : of the whole item.
    tried : messages that were sent in at least one of these cycles.
    overtaken : messages before which a later row's of their processor and destination arrived.
    extra_clocks : of a delivery cycle that a reset broke off.
    restarted : cycle from which the counters count again (a reset), 0 if never.
    load : int64 [2, n + 1], most messages that want one channel: of all together if they are sent
        until they arrive, else of a delivery cycle, where those lost on their way do not count.
    """

    cycles: int
    seed: int
    number: Int64Array
    waiting: Int64Array
    row: Int32Array
    outcome: lei.CycleOutcome
    sent: UInt8Array
    acked: UInt8Array
    arrived: UInt8Array
    trailing: UInt8Array
    ack_tick: npt.NDArray[np.uint16]
    tick: npt.NDArray[np.uint16]
    from_row: npt.NDArray[np.intp]
    from_wire: npt.NDArray[np.intp]
    receives: Words
    lost: Int64Array
    messages: int
    delivered: int
    lost_messages: int
    discarded: int
    given_up: int
    tried: int
    overtaken: int
    extra_clocks: int
    restarted: int
    load: Int64Array


def make_plan(network: Leiserson, item: MessageSet, seed: int, number: int = 0) -> Plan:
    """Predict an item; `seed`: of the senders' LFSRs, `number`: of its first delivery cycle."""
    tree, dst = network.tree, item.dst
    rows = len(dst)
    discarded = given_up = extra = restarted = 0
    if item.queue:
        at, clock = item.reset or (None, 0)
        online = lei.run_online(
            *(tree, dst, network.discipline, seed),
            first_cycle=number,
            reset=at,
            behind=item.behind,
            max_cycles=item.stop or MOST_CYCLES,
        )
        if not (online.finished or item.stop) or (at is not None and at >= len(online.row)):
            raise RuntimeError(f"{item.family}: ends in {len(online.row)} cycles, or does not")
        outcome, row, numbers, waiting = online.outcome, online.row, online.number, online.waiting
        messages = int(np.count_nonzero(dst >= 0))
        delivered, lost = int(np.count_nonzero(online.cycle >= 0)), 0
        if at is not None:
            discarded, extra, restarted = messages - delivered, clock + item.held, at
        given_up = messages - delivered - discarded
    else:
        kept = np.arange(rows)
        numbers = number + np.arange(rows)
        waiting = np.zeros((0, network.wires), np.int64)
        if item.reset is not None:
            at, clock = item.reset
            kept = np.delete(kept, at)
            numbers = np.concatenate([numbers[:at], np.arange(rows - at - 1)])
            discarded = int(np.count_nonzero(dst[at] >= 0))
            extra, restarted = clock + item.held, at
        edges = None if item.edges is None else item.edges[kept]
        if tree.offline:
            outcome = lei.lead(tree, dst[kept], edges)
        else:
            outcome = lei.deliver(tree, dst[kept], edges, numbers)
        row = np.where(dst[kept] >= 0, kept[:, None], -1).astype(np.int32)
        messages = int(np.count_nonzero(dst >= 0))
        delivered = int(np.count_nonzero(outcome.delivered))
        lost = messages - discarded - delivered
    return Plan(
        cycles=len(row),
        seed=seed,
        number=numbers,
        waiting=waiting,
        row=row,
        outcome=outcome,
        **visible(network, item, row, outcome),
        messages=messages,
        delivered=delivered,
        lost_messages=lost,
        discarded=discarded,
        given_up=given_up,
        tried=_tried(row) if item.queue else int(np.count_nonzero(row >= 0)),
        overtaken=_overtaken(network, item, row, outcome.delivered),
        extra_clocks=extra,
        restarted=restarted,
        load=loads_of(network, item, outcome),
    )


def _tried(row: Int32Array) -> int:
    """Messages that were sent at least once, `row` [C, S] of queues: rows go up wire by wire."""
    seen = np.sort(row, axis=0)
    new = np.diff(seen, axis=0, prepend=-1) > 0
    return int(np.count_nonzero(new))


def visible(
    network: Leiserson, item: MessageSet, row: Int32Array, outcome: lei.CycleOutcome
) -> dict[str, Any]:
    """What shows of delivery cycles of an item, by the names that Plan has for it."""
    trails: BoolArray = np.zeros(item.dst.shape, np.bool_)
    if item.trailing is not None:
        trails = (network.layout.trailing(item) != 0).max(axis=2)
    comes = outcome.arrived >= 0
    from_wire = np.maximum(outcome.arrived, 0).astype(np.intp)
    from_row = np.where(comes, np.take_along_axis(row, from_wire, axis=1), 0).astype(np.intp)
    payload = network.layout.payload
    return {
        "sent": _pack(row >= 0),
        "acked": _pack(outcome.ack_tick >= 0),
        "arrived": _pack(comes),
        "ack_tick": np.maximum(outcome.ack_tick, 0).astype(np.uint16),
        "tick": np.maximum(outcome.tick, 0).astype(np.uint16),
        "trailing": _pack(comes & trails[from_row, from_wire]),
        "from_row": from_row,
        "from_wire": from_wire,
        "receives": comes.astype(payload.dtype) * payload.mask,
        "lost": np.concatenate([outcome.lost_up, outcome.lost_down], axis=1),
    }


def _overtaken(network: Leiserson, item: MessageSet, row: Int32Array, delivered: BoolArray) -> int:
    """See Plan.overtaken; `row` and `delivered` are [C, S]."""
    if not item.queue:
        return 0  # row r in delivery cycle r
    cycle, wire = np.nonzero(delivered)
    number = row[cycle, wire].astype(np.int64)
    source = lei.source_processor(network.tree)[wire].astype(np.int64)
    pair = source * (network.leaves + 1) + item.dst[number, wire]
    order = np.lexsort((number, pair))
    pair, number, cycle = pair[order], number[order], cycle[order]
    most = int(cycle.max(initial=0)) + 1
    # The earliest of those behind, row by row from the last; pairs are kept apart by an offset.
    least = np.minimum.accumulate((pair * most + cycle)[::-1])[::-1]
    # None is later within its row: look from the first of the next row on.
    key = pair * (len(item.dst) + 1) + number
    behind = np.searchsorted(key, key, "right")
    there = behind < len(key)
    behind[~there] = 0
    return int(
        np.count_nonzero(there & (pair[behind] == pair) & (least[behind] < pair * most + cycle))
    )


def by_level(up: IntegerArray, down: IntegerArray) -> Int64Array:
    """Greatest of counts [..., 2N] of channels, by level: int64 [2, n + 1]."""
    levels = up.shape[-1].bit_length() - 1
    return np.array(
        [
            [int(counts[..., 1 << k : 2 << k].max(initial=0)) for k in range(levels)]
            for counts in (up, down)
        ]
    )


def loads_of(network: Leiserson, item: MessageSet, outcome: lei.CycleOutcome) -> Int64Array:
    """See Plan.load."""
    if item.queue or item.lossless:
        row, wire = np.nonzero(item.dst >= 0)
        source = lei.source_processor(network.tree)[wire]
        return by_level(*lei.channel_loads(source, item.dst[row, wire], network.leaves))
    return by_level(
        outcome.used_up + lost_by_channel(outcome, 1),
        outcome.used_down + lost_by_channel(outcome, -1),
    )


def lost_by_channel(outcome: lei.CycleOutcome, sign: int) -> Int64Array:
    """Messages lost at each channel, up (sign 1) or down (-1): int64 [cycles, 2n], heap index."""
    cycles, channels = outcome.used_up.shape
    cycle, wire = np.nonzero(sign * outcome.lost_at > 0)
    flat = cycle * channels + sign * outcome.lost_at[cycle, wire]
    return np.bincount(flat, minlength=cycles * channels).reshape(cycles, channels)


def _pack(bits: BoolArray) -> UInt8Array:
    return np.packbits(bits, axis=1, bitorder="little")
