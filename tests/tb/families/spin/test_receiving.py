"""The bench's receiver tells packets as the model's codec does, however their words are cut up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_bench.bench.links.flit.packets import FlitCaptured, PacketSet
from fattree_bench.families.spin.network import SpinNetwork
from fattree_bench.families.spin.receiving import MARKS, VC, Receiver, head_of
from fattree_models import spin
from fattree_models.traffic import Packets

NETWORK = SpinNetwork.from_variables({})
LEAVES = NETWORK.leaves
ITEM = PacketSet(Packets.of([0], [1], 0, 2), "some")


def packet(number: int, words: int) -> list[int]:
    """A packet as the network's player and encoder make it."""
    codec, address = NETWORK.words, words << 8 | 5
    of = [np.array([value]) for value in (number, 0)]
    rest = [np.array([value]) for value in (False, 3, 3, address)]
    head = int(codec.write(*of, *rest)[0])
    users = head >> 13
    inside = [codec.write(of[0], np.array([i]), *rest)[0] for i in range(1, words - 1)]
    made: list[int] = spin.encode(
        users << 8 | 5, [int(w) & spin.codec.DATA for w in inside]
    ).tolist()
    return made


def shown(words: list[tuple[int, int, int]], first: int, rows: int) -> FlitCaptured:
    """Words (clock, leaf, word) as the player's memories show them."""
    side, data = np.zeros((2, rows, LEAVES), np.uint32)
    for clock, leaf, word in words:
        if first <= clock < first + rows:
            marks = sum(mark for mark, bit in MARKS if word & bit)
            side[clock - first, leaf] = marks | VC
            data[clock - first, leaf] = word & spin.codec.DATA
    taken = np.zeros((rows, 2), np.uint8)
    return FlitCaptured(ITEM, first, side, data, taken)


FLIPS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 35)), max_size=4)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(2, 18)), min_size=1, max_size=8),
    FLIPS,
    st.integers(1, 30),
)
def test_sound_and_flagged_packets_are_the_models(
    sent: list[tuple[int, int]], flips: list[tuple[int, int]], rows: int
) -> None:
    streams: dict[int, list[int]] = {}
    for number, (leaf, words) in enumerate(sent):
        streams.setdefault(leaf, []).extend(packet(number, words))
    for at, bit in flips:
        some = streams[sent[0][0]]
        some[at % len(some)] ^= 1 << bit
    line = [(c, leaf, word) for leaf, words in streams.items() for c, word in enumerate(words)]
    # A word without a mark and without data is none to the player: it has a virtual channel.
    last = max(clock for clock, _, _ in line) + 1
    receiver = Receiver(NETWORK.words)
    sound = 0
    for first in range(0, last, rows):
        output = receiver.take(shown(line, first, rows))
        sound += int(np.count_nonzero(output.side & 2))
    receiver.rest()
    expected = [each for words in streams.values() for each in spin.receive(words)]
    assert sound == sum(not each.flags for each in expected)
    flagged = sorted((f.packet.header, f.packet.payload, f.packet.flags) for f in receiver.flagged)
    assert flagged == sorted((e.header, e.payload, e.flags) for e in expected if e.flags)


@pytest.mark.parametrize("words", [2, 3, 18])
def test_flits_are_what_the_player_sent(words: int) -> None:
    line = [(i, 7, word) for i, word in enumerate(packet(9, words))]
    output = Receiver(NETWORK.words).take(shown(line, 0, 20))
    data = output.data[:words, 7].astype(np.uint64)
    tags, wrong = NETWORK.words.read(data, np.arange(words) == 0, answered=False)
    assert not wrong.any() and set(tags.number.tolist()) == {9}
    assert tags.index.tolist() == list(range(words))
    assert tags.address[0] == words << 8 | 5


def test_a_header_keeps_what_its_users_wrote() -> None:
    header = np.array([18 << 27 | 0x5A5A5 << 8 | 0x2A])
    assert head_of(header)[0] == (0x5A5A5 & 0x7FFFF) << 13 | 18 << 8 | 0x2A
