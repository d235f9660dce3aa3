"""What the bench tells of a recording that is not as SPIN's routers must be."""

from collections.abc import Callable

import numpy as np
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


def sound(model: Routers) -> Recorded:
    """A packet alone, whose first word is on the link from terminal 0 in clock 1."""
    leaves = NETWORK.terminals
    data = np.zeros((CLOCKS, PORTS + leaves), np.uint64)
    side, credits = np.zeros((2, *data.shape), np.uint8)
    states = np.zeros((CLOCKS, -(-NETWORK.recorded_states // 64) * 64), np.uint8)
    credit = np.zeros(leaves, np.bool_)
    for t in range(CLOCKS):
        word = np.zeros(leaves, np.uint64)
        word[0] = WORDS[t - 1] if 0 < t <= len(WORDS) else 0
        shown = model.step(word > 0, word, credit)
        data[t] = np.append(shown.word * shown.valid, word)
        side[t] = (data[t] > 0) << 2
        credits[t] = shown.credit
        credits[t, model.to_terminals] = credit
        credit = shown.valid[model.to_terminals]
        bits = np.concatenate([shown.state, shown.home, shown.stored])
        states[t, : len(bits)] = bits
    return Recorded(
        data, side, credits, np.packbits(states, axis=1, bitorder="little").view(np.uint64)
    )


def burst(recorded: Recorded, reset: int | None = None) -> Burst:
    def seen() -> Recorded:
        return recorded

    return Burst(len(recorded.data), reset, 0, True, False, None, recorded=seen)


def reset() -> Burst:
    """Clocks of which nobody knows what was before, with a reset, and one behind it."""
    idle, old = sound(fresh()), np.full((3, PORTS + NETWORK.terminals), 1, np.uint8)
    old[2] = 0
    states = np.repeat(idle.states[:1], 3, axis=0)
    return burst(Recorded(old.astype(np.uint64), old, old, states), 1)


def flip(recorded: Recorded, clock: int, bit: int) -> None:
    """Show something else."""
    recorded.states.view(np.uint8)[clock, bit // 8] ^= np.uint8(1 << bit % 8)


def other_word(recorded: Recorded) -> None:
    recorded.data[5, 4] ^= np.uint64(2)  # the second word, above the router of terminal 0


def other_mark(recorded: Recorded) -> None:
    recorded.data[5, 4] ^= np.uint64(spin.ERROR)


def no_head(recorded: Recorded) -> None:
    recorded.side[4, 4] = 0


def no_credit(recorded: Recorded) -> None:
    recorded.credits[4, PORTS] = 0


def one_more_credit(recorded: Recorded) -> None:
    recorded.credits[9, 7] = 1


Change = Callable[[Recorded], None]
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
        lambda recorded: flip(recorded, 3, 0),
        kind.STATE,
        "clock 103: level 1 router 0 port 0: expected 1 for “holds words”, seen 0; "
        "decided in clock 102 or before by what the router shows of itself",
    ),
    (
        lambda recorded: flip(recorded, 8, PLACES + 9),
        kind.STATE,
        "clock 108: level 1 router 0 buffer 1: expected 1 for “is as at first”, seen 0; "
        "decided in clock 107 or before by what the router shows of itself",
    ),
    (
        lambda recorded: flip(recorded, 8, 2 * PLACES + 6),
        kind.STATE,
        "clock 108: level 2 router 2: expected 0 for “stores a packet”, seen 1; "
        "decided in clock 107 or before by what the router shows of itself",
    ),
)


@pytest.mark.parametrize(("change", "name", "told"), TOLD)
def test_a_difference_is_told(change: Change, name: str, told: str) -> None:
    check = RouterCheck(NETWORK)
    seen = sound(fresh())
    change(seen)
    found = check.check([reset(), burst(seen)], 100)
    assert (found.kind, found.example) == (name, told)
    assert found.where.time == int(told.split(maxsplit=2)[1].rstrip(":"))


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
