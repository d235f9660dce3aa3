"""Reads and writes over SPIN, in the manner of VCI: requests, responses, what must hold.

A request goes to a target, and brings a response.  Data of the header, from the lowest bit:

    destination 8, source 8, tag 4, write 1, response 1, error 1, words 4, length of packet 5

Payload: of a read request the address; of a write request the address, then the data; of a read
response the data; of a write response nothing.  Addresses count words; a request may not run over
the end of a memory: then its response has the error bit, and no data, and nothing is written.

An initiator has at most so many requests outstanding as it has tags, and at most one to each
target: so the requests of a pair are served, and answered, in order, although the network may let
packets overtake each other (ours).  Responses of several targets come in any order.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from fattree_models.common.checks import Int64Array, check_integer, check_integers
from fattree_models.spin.codec import DATA, MOST_PAYLOAD, Received, encode

MOST_BURST = MOST_PAYLOAD - 1
TAGS = 16


@dataclass(frozen=True)
class Message:
    """A request or a response.

    Parameters
    ----------
    dst, src : int
        Terminals, 0 ... 255.
    tag : int
        0 ... 15; a response has its request's.
    write, response, error : bool
    words : int
        To be read or written, 1 ... 15.
    address : int
        Of a request, else 0.
    data : tuple of int, or int array [words]
        Of write requests and read responses, else empty.
    """

    dst: int
    src: int
    tag: int
    write: bool = False
    response: bool = False
    error: bool = False
    words: int = 1
    address: int = 0
    data: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        limits = [
            *(("dst", 0, 255), ("src", 0, 255), ("tag", 0, TAGS - 1)),
            *(("words", 1, MOST_BURST), ("address", 0, DATA)),
        ]
        for name, low, high in limits:
            object.__setattr__(self, name, check_integer(name, getattr(self, name), low, high))
        data = check_integers("data", self.data, 0, DATA).tolist()
        object.__setattr__(self, "data", tuple(data))
        has_data = self.write != self.response and not self.error
        if len(self.data) != (self.words if has_data else 0):
            allowed = self.words if has_data else 0
            raise ValueError(f"data: has {len(self.data)} words; allowed are {allowed}")

    def packet(self) -> Int64Array:
        """Return the words of its packet.

        Examples
        --------
        >>> Message(dst=2, src=1, tag=3, address=9).packet().size
        3
        """
        marks = self.write << 20 | self.response << 21 | self.error << 22
        header = self.dst | self.src << 8 | self.tag << 16 | marks | self.words << 23
        return encode(header, [*([] if self.response else [self.address]), *self.data])


def message(packet: Received) -> Message:
    """Return what a sound packet says.

    Raises
    ------
    ValueError
        If it is flagged, or no packet of this protocol.

    Examples
    --------
    >>> from fattree_models.spin.codec import receive
    >>> read = Message(dst=2, src=1, tag=3, words=4, address=9)
    >>> message(receive(read.packet())[0]) == read
    True
    """
    if packet.flags:
        raise ValueError(f"packet: is flagged {', '.join(packet.flags)}; allowed are sound ones")
    head, payload = packet.header, packet.payload
    response = bool(head >> 21 & 1)
    if not response and not payload:
        raise ValueError(f"packet: has header {head:#x}; allowed are requests and responses")
    return Message(
        dst=head & 255,
        src=head >> 8 & 255,
        tag=head >> 16 & 15,
        write=bool(head >> 20 & 1),
        response=response,
        error=bool(head >> 22 & 1),
        words=head >> 23 & 15,
        address=0 if response else payload[0],
        data=payload if response else payload[1:],
    )


@dataclass(eq=False)
class Memory:
    """The memory behind a target.

    Parameters
    ----------
    words : int
        Of 32 bits; all 0 at first.

    Examples
    --------
    >>> memory = Memory(8)
    >>> _ = memory.serve(Message(2, 1, 0, write=True, words=2, address=3, data=(7, 8)))
    >>> memory.serve(Message(2, 1, 1, words=3, address=3)).data
    (7, 8, 0)
    >>> memory.serve(Message(2, 1, 1, words=3, address=6)).error
    True
    """

    words: int
    content: Int64Array = field(init=False)

    def __post_init__(self) -> None:
        self.words = check_integer("words", self.words, 1, 1 << 24)
        self.content = np.zeros(self.words, dtype=np.int64)

    def serve(self, request: Message) -> Message:
        """Return the response, and write what is to be written."""
        end = request.address + request.words
        reply = replace(
            request, dst=request.src, src=request.dst, response=True, address=0, data=(), error=True
        )
        if end > self.words:
            return reply
        if request.write:
            self.content[request.address : end] = request.data
            return replace(reply, error=False)
        return replace(reply, error=False, data=tuple(self.content[request.address : end].tolist()))


@dataclass
class Watcher:
    """Watches all requests and responses, and names what is wrong.

    Parameters
    ----------
    memory : dict of int to Memory
        Of each target, as it is at the beginning.
    outstanding : int
        Of each initiator, at most.

    Examples
    --------
    >>> watcher = Watcher({2: Memory(8)}, outstanding=1)
    >>> read = Message(2, 1, 0, address=3)
    >>> watcher.sent(read), watcher.served(read), watcher.sent(read)
    ([], [], ['too many outstanding', 'two to one target', 'tag in use'])
    """

    memory: dict[int, Memory]
    outstanding: int = TAGS
    open: list[Message] = field(default_factory=list)
    answer: dict[tuple[int, int], Message] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.outstanding = check_integer("outstanding", self.outstanding, 1, TAGS)

    def sent(self, request: Message) -> list[str]:
        """An initiator sends a request; it is answered even if it came too early."""
        own = [other for other in self.open if other.src == request.src]
        faults = {
            "too many outstanding": len(own) >= self.outstanding,
            "two to one target": any(other.dst == request.dst for other in own),
            "tag in use": any(other.tag == request.tag for other in own),
            "no such target": request.dst not in self.memory,
        }
        wrong = [name for name, found in faults.items() if found]
        if not {"tag in use", "no such target"} & {*wrong}:
            self.open.append(request)
        return wrong

    def served(self, request: Message) -> list[str]:
        """A target serves a request: the order of these calls is its memory's order."""
        key = (request.src, request.tag)
        if request not in self.open or key in self.answer:
            return ["serves no request"]
        self.answer[key] = self.memory[request.dst].serve(request)
        return []

    def answered(self, response: Message) -> list[str]:
        """An initiator gets a response; even with wrong data it is one."""
        expected = self.answer.get((response.dst, response.tag))
        if expected is None:
            return ["answers no request"]
        wrong = [] if response == expected else ["wrong data"]
        if response.src != expected.src:
            return ["wrong source"]
        del self.answer[response.dst, response.tag]
        self.open = [o for o in self.open if (o.src, o.tag) != (response.dst, response.tag)]
        return wrong
