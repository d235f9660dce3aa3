"""MESSAGES: files of messages of a user's own, for every network."""

import numpy as np

from fattree_bench.errors import UserError
from fattree_bench.paths import ROOT
from fattree_bench.settings import text
from fattree_models.common.checks import Int32Array, UInt64Array
from fattree_models.traffic import Messages, read_messages

MESSAGES = text(
    "MESSAGES", "", "messages to send: a .csv of source,destination and more, an .npz or an .mtx"
).but(old=("PACKETS",))

MOST_SLOTS = 1_000_000
MOST_PLACES = 1 << 26  # slots times leaves

Rows = tuple[Int32Array, UInt64Array | None]


def read(file: str, nodes: int, *fields: str) -> Messages:
    """The messages of a file, which may have these fields; UserError says what is wrong with it.

    A matrix has entries that a node keeps to itself: they are no messages.
    """
    try:
        found = read_messages(ROOT / file, nodes, fields, name=f"MESSAGES={file}")
    except ValueError as error:
        raise UserError(str(error)) from None
    if file.lower().endswith(".mtx"):
        found = found.away()
    if not len(found.source):
        raise UserError(f"MESSAGES={file}: all messages stay within their nodes")
    return found


def read_rows(file: str, leaves: int, width: int) -> Rows:
    """A file for the slot link: destinations, -1 idle, and words, [slots, N]; None: no payload.

    UserError where a leaf has several messages in a slot, or the last slot is too late.
    """
    found = read(file, leaves, "release", "payload")
    check_width(file, found.payload, width)
    slot, most = found.slots(), min(MOST_SLOTS, MOST_PLACES // leaves)
    if slot.max() >= most:
        raise UserError(f"MESSAGES={file}: release: holds {slot.max()}; allowed are 0 … {most - 1}")
    destinations = np.full((int(slot.max()) + 1, leaves), -1, dtype=np.int32)
    destinations[slot, found.source] = found.destination
    if np.count_nonzero(destinations >= 0) != slot.size:
        places, often = np.unique(slot * leaves + found.source, return_counts=True)
        first, node = divmod(int(places[often > 1][0]), leaves)
        raise UserError(
            f"MESSAGES={file}: node {node} has several messages in slot {first}; allowed is one"
        )
    if found.payload is None:
        return destinations, None
    words = np.zeros(destinations.shape, np.uint64)
    words[slot, found.source] = found.payload
    return destinations, words


def check_width(file: str, payload: UInt64Array | None, width: int) -> None:
    """UserError for a payload that does not fit."""
    wide = 0 if payload is None else int(np.max(payload))
    if wide >> width:
        raise UserError(f"MESSAGES={file}: payload {wide:#x} needs a greater WIDTH")
