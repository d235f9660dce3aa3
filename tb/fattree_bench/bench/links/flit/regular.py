"""A burst in which all is as it should be, checked in one compiled pass.

It only says yes or no; what is wrong, and with which packet, the scoreboard finds out.  To load it
takes as long as the scoreboard needs for a million flits: so it is for long runs.
"""

from dataclasses import astuple
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.links.flit.sent import Seen
from fattree_bench.bench.links.flit.words import INDEX_BITS, ROUNDS
from fattree_bench.bench.links.payload import MIX
from fattree_models.common.checks import Int32Array, Int64Array, UInt8Array


class _Words(NamedTuple):
    """How to read words, see FlitWords."""

    width: int
    address_bits: int
    node_bits: int
    number_bits: int
    paths: int
    masked: bool
    mix: np.uint64
    unmix_number: np.uint64
    unmix_word: np.uint64


class _Sent(NamedTuple):
    """See Sent."""

    packets: int
    answered: bool
    starts: Int64Array
    source: Int64Array
    destination: Int64Array
    flits: Int64Array
    first_flit: Int64Array
    address: Int64Array
    kinds: npt.NDArray[np.uint8]


class _Seen(NamedTuple):
    """See Seen."""

    begun: Int64Array
    oldest: Int64Array
    injected: Int64Array
    created: Int64Array
    arrival: Int32Array
    vc: UInt8Array
    route: npt.NDArray[np.uint64]


def note(seen: Seen, captured: FlitCaptured) -> bool:
    """Note the flits of a burst if each is one that was to come, new and in its place."""
    sent = seen.sent
    words = sent.link.words
    found = _read(
        captured.side,
        captured.data,
        captured.first,
        _Words(*(*astuple(words), np.uint64(MIX), *words.unmix)),
        _Sent(
            *(sent.packets, sent.answered, sent.starts, sent.source, sent.destination),
            *(sent.flits, sent.first_flit, sent.address, sent.kinds),
        ),
        _Seen(
            *(seen.begun, seen.oldest(), seen.injected, seen.created),
            *(seen.arrival, seen.vc, seen.route),
        ),
    )
    if found is None:
        return False
    seen.arrived += found[0]
    seen.progress = max(seen.progress, found[1])
    seen.delivered += found[2]
    seen.asked += found[3]
    return True


@njit(cache=True)
def _low(word, bits):  # type: ignore[no-untyped-def]
    return word & ((np.uint64(1) << np.uint64(bits)) - np.uint64(1))


@njit(cache=True)
def _tags(word, head, words, answered):  # type: ignore[no-untyped-def]
    """Owner, number, index, class, source and address of a flit; number -1: it says nonsense."""
    if head:
        lower = words.address_bits + words.node_bits + 1
        spare = words.width - lower
        rest = _low(word, lower)
        word >>= np.uint64(lower)
        if words.masked:
            rest ^= _low(word >> np.uint64(max(0, spare - lower)), lower)
        address = np.int64(_low(rest, words.address_bits))
        source = np.int64(_low(rest >> np.uint64(words.address_bits), words.node_bits))
        reply = rest >> np.uint64(lower - 1) != 0
        unique = _low((word ^ rest) * words.unmix_number, words.number_bits)
        wrong = word != _low(unique * words.mix ^ rest, spare)
        number = np.int64(unique)
        owner = address // words.paths if answered and reply else source
        index = np.int64(0)
    else:
        for _ in range(ROUNDS):
            word = (word ^ word >> np.uint64((words.width + 1) // 2)) * words.unmix_word
            word = word if words.width == 64 else _low(word, words.width)
        owner = np.int64(_low(word, words.node_bits))
        word >>= np.uint64(words.node_bits)
        reply = word & np.uint64(1) != 0
        word >>= np.uint64(1)
        index = np.int64(_low(word, INDEX_BITS))
        word >>= np.uint64(INDEX_BITS)
        number = np.int64(_low(word, words.number_bits))
        source = address = np.int64(-1)
        wrong = word >> np.uint64(words.number_bits) != 0 or index == 0
    if wrong:
        number = np.int64(-1)
    return owner, number, index, reply, source, address


@njit(cache=True)
def _read(side, data, first, words, sent, seen):  # type: ignore[no-untyped-def]
    """Flits, clock of the last one, packets and requests that are whole; None: not all is well."""
    clocks, leaves = side.shape
    size = 1 << words.number_bits
    noted = np.empty((clocks * leaves, 2), np.int64)
    count, last, whole, requests = 0, 0, 0, 0
    for row in range(clocks):
        clock = first + row
        for leaf in range(leaves):
            marks = np.uint64(side[row, leaf])
            if marks == 0:
                continue
            head, tail = marks & np.uint64(2) != 0, marks & np.uint64(1) != 0
            owner, number, index, reply, source, address = _tags(
                np.uint64(data[row, leaf]), head, words, sent.answered
            )
            good = number >= 0 and owner < leaves
            packet = flit = 0
            if good:
                number = seen.oldest[owner] + ((number - seen.oldest[owner]) & (size - 1))
                good = number < seen.begun[owner]
            if good:
                packet = sent.starts[owner] + number
                if sent.answered and reply:
                    packet += sent.packets
                flit = sent.first_flit[packet] + index
                good = (
                    index < sent.flits[packet]
                    and reply == (sent.kinds[packet] == 1)
                    and tail == (index == sent.flits[packet] - 1)
                    and leaf == sent.destination[packet]
                    and seen.arrival[flit] < 0
                )
            if good and head:
                good = (
                    source == sent.source[packet]
                    and address == sent.address[packet]
                    and seen.injected[packet] < clock
                )
            if not good:
                for k in range(count):
                    packet, flit = noted[k]
                    seen.arrival[flit], seen.vc[flit] = -1, 0
                    if flit == sent.first_flit[packet]:
                        seen.route[packet] = 0
                    ends = flit == sent.first_flit[packet + 1] - 1
                    if ends and sent.answered and packet < sent.packets:
                        seen.created[packet + sent.packets] = -1
                return None
            noted[count, 0], noted[count, 1] = packet, flit
            count += 1
            last = clock
            seen.arrival[flit] = clock
            seen.vc[flit] = np.uint8(marks >> np.uint64(2) & np.uint64(15))
            if head:
                seen.route[packet] = marks >> np.uint64(6)
            if tail:
                whole += 1
                if sent.answered and packet < sent.packets:
                    requests += 1
                    seen.created[packet + sent.packets] = clock + 1
    return count, last, whole, requests
