"""The packets of an item with their replies, as columns."""

from dataclasses import dataclass

import numpy as np

from fattree_models.common.checks import Int64Array, check_integer, check_range
from fattree_models.traffic import Packets
from fattree_models.traffic.packet_lengths import MAX_FLITS
from fattree_models.wormhole.network import Network


@dataclass(frozen=True)
class Answer:
    """How leaves answer requests.

    Parameters
    ----------
    flits : int
        Length of a reply.
    limit : int
        A leaf where so many replies wait gives no credits for requests.
    """

    flits: int
    limit: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "flits", check_integer("flits", self.flits, 1, MAX_FLITS))
        object.__setattr__(self, "limit", check_integer("limit", self.limit, 1))


@dataclass(frozen=True, eq=False)
class Item:
    """Packets of a list, then the replies to them, if they are answered; int64 arrays.

    Parameters
    ----------
    packets : Packets
        The list.
    source, destination, release, flits, kind : int64 arrays [packets and replies]
        A reply's release has no meaning.
    address : int64 array
        What switches look up; the destination where there are no tables.
    """

    packets: Packets
    source: Int64Array
    destination: Int64Array
    release: Int64Array
    flits: Int64Array
    kind: Int64Array
    address: Int64Array

    @classmethod
    def of(cls, network: Network, packets: Packets, answer: Answer | None) -> "Item":
        """Return the item of a list.

        Raises
        ------
        ValueError
            If a leaf does not exist, or a kind is neither 0 (request) nor 1 (reply).
        """
        for name in ("source", "destination"):
            check_range(name, getattr(packets, name), 0, network.leaves - 1)
        check_range("kind", packets.kind, 0, 1)
        names = ("source", "destination", "release", "flits", "kind")
        columns = {name: getattr(packets, name).astype(np.int64) for name in names}
        source, destination = columns["source"], columns["destination"]
        address = destination
        if network.tables is not None:
            address = network.tables.address(source, destination)
        if answer is not None:
            ones = np.ones_like(source)
            replies = destination, source, columns["release"], ones * answer.flits, ones
            for name, reply in zip(names, replies, strict=True):
                columns[name] = np.concatenate((columns[name], reply))
            paths = network.tables.paths if network.tables is not None else 1
            address = np.concatenate((address, source * paths))
        return cls(packets, **columns, address=address)
