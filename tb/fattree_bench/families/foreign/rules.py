"""The rules of the links that the adapters check, in the order of the bits of their broken_o."""

from dataclasses import dataclass

STREAM_SEND = ("ready is X or Z",)
STREAM_RECEIVE = (
    "valid is X or Z",
    "valid fell before ready",
    "a field changed before ready",
    "valid is high in reset",
    "X or Z beside valid",
    "dest, id or user changed within a packet",
    "a word is not full: keep is not all ones",
    "dest names another leaf",
    "a packet has more words than any that is sent: a last was lost",
    "bits of a word differ from their copies in it",
)
SEND = {"stream": STREAM_SEND}
RECEIVE = {"stream": STREAM_RECEIVE}
ENTRY_BITS = 48  # of the log of foreign_rules
PLACES = 64


@dataclass(frozen=True)
class Broken:
    """A rule that was broken.

    Attributes
    ----------
    side : "input" or "output", of the design.
    clock : of the item; of the reset before it if `before`.
    """

    rule: str
    side: str
    leaf: int
    clock: int
    before: bool

    def __str__(self) -> str:
        when = "before the first clock" if self.before else f"clock {self.clock}"
        return f"{when}: {self.side} {self.leaf}: {self.rule}"


def told(kind: str, inputs: int, number: int) -> tuple[str, str, int]:
    """Rule, side and leaf of a bit of all leaves' broken_o, those of inputs first."""
    send, receive = SEND[kind], RECEIVE[kind]
    if number < inputs * len(send):
        leaf, rule = divmod(number, len(send))
        return send[rule], "input", leaf
    leaf, rule = divmod(number - inputs * len(send), len(receive))
    return receive[rule], "output", leaf


def bits(kind: str, inputs: int, outputs: int) -> int:
    """Bits of all of them."""
    return inputs * len(SEND[kind]) + outputs * len(RECEIVE[kind])
