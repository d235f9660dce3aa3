"""The rules of the links that the adapters check, in the order of the bits of their broken_o."""

from dataclasses import dataclass

# Of every word that comes out of a design: leaf_word_rules.
WORD = (
    "valid is X or Z",
    "valid is high in reset",
    "X or Z together with valid",
    "dest names another leaf",
    "a packet has more words than any that is sent: a last was lost, or words came twice",
    "bits of a word differ from their copies in it",
    "the head mark is wrong",
    "a word is in several virtual channels",
    "a word is not full: keep is not all ones",
    "dest, id or user changed within a packet",
    "a word came without room for it",
)
SEND = {
    "stream": ("ready is X or Z",),
    "onoff": ("stop is X or Z",),
    "credit": ("a credit is X or Z", "more credits came back than went"),
    "slot": (),
    "cell": ("grant is X or Z",),
}
RECEIVE = {
    "stream": (*WORD, "valid fell before ready", "a field changed before ready"),
    "onoff": (*WORD, "a word came although it was stopped"),
    "credit": (*WORD, "a word came without a credit"),
    "slot": WORD,
    "cell": WORD,
}
WAITS = "valid waits for ready"  # of a stream, and known only when nothing moves any more
HINTS = {  # what a description may say of it
    "valid is X or Z": "if its reset takes longer: reset.clocks, reset.wait",
    "valid is high in reset": "if the reset goes through registers: reset.late",
    WAITS: "valid must not depend on ready; where ready is a permission: link.kind = 'onoff'",
    "valid fell before ready": "if the design may do so: link.stable = false",
    "a field changed before ready": "if the design may do so: link.stable = false",
}
ENTRY_BITS = 48  # of the log of leaf_rules
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
        hint = f"; {HINTS[self.rule]}" if self.rule in HINTS else ""
        return f"{when}: {self.side} {self.leaf}: {self.rule}{hint}"


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
