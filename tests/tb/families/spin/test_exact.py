"""What the bench tells of a recording that is not as SPIN's routers must be."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Finding
from fattree_bench.bench.links.flit.packets import Burst
from fattree_bench.bench.links.flit.recorder import Recorded
from fattree_bench.families.spin.exact import NONE, RouterCheck
from fattree_bench.families.spin.network import SpinNetwork
from fattree_models import spin
from fattree_models.spin.routers import Routers

NETWORK = SpinNetwork.from_variables({})
CLOCKS = 40
PORTS, PLACES = len(NETWORK.outputs), len(NETWORK.places)
WORDS = spin.encode(5, [7, 8])  # from terminal 0: up, and down again


def fresh() -> Routers:
    return Routers(NETWORK.terminals, NETWORK.shared)


@dataclass
class Links:
    """What was on the links, [clocks, links], and what routers showed, bits [clocks, bits]."""

    word: npt.NDArray[np.uint64]
    valid: npt.NDArray[np.bool_]
    credit: npt.NDArray[np.bool_]
    shown: npt.NDArray[np.bool_]

    def recorded(self) -> Recorded:
        """As the recorder has it: a word twice its marks, then itself."""
        words = self.word[self.valid]
        flits = (words | words >> np.uint64(34) << np.uint64(36)).view(np.uint8).reshape(-1, 8)
        rows = (np.packbits(each, 1, "little") for each in (self.valid, self.credit, self.shown))
        valid, credit, shown = rows
        recorded = NETWORK.layout.recorded
        return Recorded(recorded.links, 1, recorded.bits, valid, credit, flits, shown)


def sound(model: Routers) -> Links:
    """A packet alone, whose first word is on the link from terminal 0 in clock 1."""
    leaves = NETWORK.terminals
    word = np.zeros((CLOCKS, PORTS + leaves), np.uint64)
    valid, credits = np.zeros((2, *word.shape), np.bool_)
    states = np.zeros((CLOCKS, NETWORK.layout.recorded.states), np.bool_)
    credit = np.zeros(leaves, np.bool_)
    for t in range(CLOCKS):
        sent = np.zeros(leaves, np.uint64)
        sent[0] = WORDS[t - 1] if 0 < t <= len(WORDS) else 0
        shown = model.step(sent > 0, sent, credit)
        word[t] = np.append(shown.word, sent)
        valid[t] = np.append(shown.valid, sent > 0)
        credits[t] = shown.credit
        credits[t, model.to_terminals] = credit
        credit = shown.valid[model.to_terminals]
        states[t] = np.concatenate([shown.state, shown.home, shown.stored])
    return Links(word, valid, credits, states)


def burst(links: Links, *resets: int) -> Burst:
    return Burst(len(links.word), resets, 0, True, False, None, recorded=links.recorded)


def reset() -> Burst:
    """Clocks with an unknown past, with a reset, and one behind it."""
    idle, old = sound(fresh()), np.ones((3, PORTS + NETWORK.terminals), np.bool_)
    old[2] = False
    return burst(Links(old.astype(np.uint64), old, old, np.repeat(idle.shown[:1], 3, axis=0)), 1)


def flip(links: Links, clock: int, bit: int) -> None:
    """Show something else."""
    links.shown[clock, bit] ^= True


def other_word(links: Links) -> None:
    links.word[5, 4] ^= np.uint64(2)  # the second word, above the router of terminal 0


def other_mark(links: Links) -> None:
    links.word[5, 4] ^= np.uint64(spin.ERROR)


def no_head(links: Links) -> None:
    links.valid[4, 4] = False


def no_credit(links: Links) -> None:
    links.credit[4, PORTS] = False


def one_more_credit(links: Links) -> None:
    links.credit[9, 7] = True


Change = Callable[[Links], None]
TOLD: tuple[tuple[Change, str, str], ...] = (
    (
        other_word,
        kind.LINK,
        "clock 105: level 1 router 0 output 4: expected 0x00000007 (parity), seen 0x00000005 "
        "(parity); decided in clock 104 or before by queue, shared buffer, or credits",
    ),
    (
        other_mark,
        kind.LINK,
        "clock 105: level 1 router 0 output 4: expected 0x00000007 (parity), seen 0x00000007 "
        "(error parity); decided in clock 104 or before by the input: it repairs marks",
    ),
    (
        no_head,
        kind.LINK,
        "clock 104: level 1 router 0 output 4: expected 0x20000005 (begin), seen nothing; "
        "decided in clock 103 or before by who gets an output, or a shared buffer",
    ),
    (
        no_credit,
        kind.LINK,
        "clock 104: level 1 router 0: expected a credit for terminal 0, seen 0; "
        "decided in clock 103 or before by the queue of the input",
    ),
    (
        one_more_credit,
        kind.LINK,
        "clock 109: level 2 router 3: expected no credit for level 1 router 0 output 7, seen 1; "
        "decided in clock 108 or before by the queue of the input",
    ),
    (
        lambda links: flip(links, 3, 0),
        kind.STATE,
        "clock 103: level 1 router 0 port 0: expected 1 for “holds words”, seen 0; "
        "decided in clock 102 or before by what the router shows of itself",
    ),
    (
        lambda links: flip(links, 8, PLACES + 9),
        kind.STATE,
        "clock 108: level 1 router 0 buffer 1: expected 1 for “is as at first”, seen 0; "
        "decided in clock 107 or before by what the router shows of itself",
    ),
    (
        lambda links: flip(links, 8, 2 * PLACES + 6),
        kind.STATE,
        "clock 108: level 2 router 2: expected 0 for “stores a packet”, seen 1; "
        "decided in clock 107 or before by what the router shows of itself",
    ),
)


@pytest.mark.parametrize(("change", "name", "message"), TOLD)
def test_a_difference_is_told(change: Change, name: str, message: str) -> None:
    check = RouterCheck(NETWORK)
    seen = sound(fresh())
    change(seen)
    found = check.check([reset(), burst(seen)], 100)
    assert (found.kind, found.example) == (name, message)
    assert found.where.time == int(message.split(maxsplit=2)[1].rstrip(":"))


def test_a_sound_network_has_none() -> None:
    """All clocks behind the first reset count, also those of later bursts and resets."""
    check = RouterCheck(NETWORK)
    model = fresh()
    assert check.check([burst(sound(fresh())), reset(), burst(sound(model))], 0) == NONE
    assert check.check([burst(sound(model), CLOCKS - 1)], CLOCKS) == NONE
    assert check.clocks == 1 + 2 * CLOCKS


def test_after_a_difference_only_a_reset_helps() -> None:
    check = RouterCheck(NETWORK)
    seen = sound(fresh())
    other_word(seen)
    found = check.check([reset(), burst(seen), burst(seen)], 100)
    expected = (
        "after the last item, or in its reset, level 1 router 0 output 4: "
        "expected 0x00000007 (parity), seen 0x00000005 (parity)"
    )
    assert found == Finding(kind.LINK, expected)
    assert check.check([burst(seen)], 0) == NONE
    assert check.check([reset(), burst(seen)], 0).kind == kind.LINK
