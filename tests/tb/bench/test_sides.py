"""Sequences side by side, without a simulator: each on its sequencer, all in one burst."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.bench.sequence import Listed, Pulled, Sequence
from fattree_bench.bench.sides import Sides
from fattree_bench.families import NETWORKS
from fattree_bench.families.lbbvn.sequences import BitReverseFrame, RandomPermutations
from fattree_models.traffic import Packets
from tests.cli import succeeds
from tests.tb.cli.test_own_tests import Cli, own_tests, run, sent

LOW, HIGH = range(4), range(4, 8)
HELD = np.array([True, False])


def items(sequence: Sequence, name: str = "lbbvn", **variables: str) -> Iterator[Any]:
    network = NETWORKS[name].from_variables(variables or {"N": "8"})
    return Pulled(Stimulus(network, np.random.default_rng(3), 16)).items(sequence)


def sides(one: Any, other: Any, **more: Any) -> Sides:
    """An item for either half of eight senders."""
    own = [(LOW, Listed(given=[one])), (HIGH, Listed(given=[other]))]
    return Sides("mine", sides=own, **more)


def test_frames_of_two_sides_are_one() -> None:
    """At the end the longer side is alone."""
    random = RandomPermutations(frames=2, slots=9)
    first, second = items(Sides(sides=[(LOW, BitReverseFrame()), (HIGH, random)]))
    (reverse,) = items(BitReverseFrame())
    assert first.slots == 9 and second.slots == 9
    assert (first.dst[:8, :4] == reverse.dst[:, :4]).all() and (first.dst[8, :4] == -1).all()
    assert (first.dst[:, 4:] >= 0).all() and (second.dst[:, 4:] >= 0).all()
    assert (second.dst[:, :4] == -1).all()


def test_resets_are_of_the_first_side() -> None:
    dst = np.arange(8, dtype=np.int32)
    one, other = SlotFrame(np.tile(dst, (2, 1)), reset=HELD), SlotFrame(np.tile(dst, (3, 1)))
    (frame,) = items(sides(one, other))
    assert frame.reset.tolist() == [True, False, False]
    assert (frame.dst[:2] == dst).all() and frame.dst[2].tolist() == [-1] * 4 + [4, 5, 6, 7]


def test_packets_of_two_sides_are_one() -> None:
    """What the other half would send is left out."""
    one, other = Packets.of([0, 5], [1, 2], [0, 1], 3), Packets.of([1, 6], [2, 3], [4, 0], 2)
    both = sides(PacketSet(one, "mine", alone=True), PacketSet(other, "mine"))
    (item,) = items(both, "kary", K="2", LEVELS="3")
    assert item.packets.source.tolist() == [0, 6] and item.packets.flits.tolist() == [3, 2]
    assert not item.alone


def test_messages_of_two_sides_are_one() -> None:
    """On the serial link the senders are wires: also those from outside."""
    wires, dst = 12, np.full((1, 12), 3, np.int32)
    one, other = MessageSet(dst, "in", queue=True), MessageSet(np.tile(dst, (2, 1)), "out", True)
    both = Sides(sides=[(LOW, Listed(given=[one])), ([11], Listed(given=[other]))], senders=wires)
    (item,) = items(both, "leiserson")
    assert item.dst.tolist() == [[3] * 4 + [-1] * 7 + [3], [-1] * 11 + [3]] and item.queue


def test_no_sender_is_on_two_sides() -> None:
    both = Sides("mine", sides=[(LOW, BitReverseFrame()), ([3], BitReverseFrame())])
    with pytest.raises(ValueError, match="mine: sender 3 is on two sides"):
        list(items(both))


def test_what_does_not_join() -> None:
    dst = np.zeros((1, 8), np.int32)
    words = SlotFrame(dst, words=np.zeros((1, 8), np.uint64))
    cases = (
        (sides(SlotFrame(dst), words), "frames with words of their own do not join"),
        (sides(MessageSet(dst, "m"), MessageSet(dst, "m", True)), "a queue and single"),
        (sides(MessageSet(dst, "m", words=dst), MessageSet(dst, "m")), "with words or settings"),
    )
    for both, message in cases:
        with pytest.raises(ValueError, match=message):
            list(items(both))


@pytest.mark.usefixtures("icarus")
def test_two_sequencers_play_through_the_network(tb_cli: Cli, tmp_path: Path) -> None:
    """In the file of docs/adding.md half of the leaves send 8 slots, the others all 64."""
    file = tmp_path / "my_tests.py"
    file.write_text(own_tests())
    text = succeeds(run(tb_cli, f"{file}::apart"))
    assert sent(text) == 4 * 8 + 4 * 64
