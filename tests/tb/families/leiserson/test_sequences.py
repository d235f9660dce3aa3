"""Sequences of message sets, without a simulator: what they send, and what they refuse."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.bench.sequence import Pulled, Sequence
from fattree_bench.families.leiserson import sequences
from fattree_bench.families.leiserson.network import Leiserson
from fattree_models.leiserson import source_processor


def items(sequence: Sequence, **variables: str) -> Iterator[MessageSet]:
    network = Leiserson.from_variables({"N": "8", **variables})
    return Pulled(Stimulus(network, np.random.default_rng(3), 16)).items(sequence)


def pairs(found: list[MessageSet]) -> Counter:
    """Source and destination of all messages of items for the tree of 8 processors."""
    source = source_processor(Leiserson.from_variables({"N": "8"}).tree)
    places = ((item.dst, *np.nonzero(item.dst >= 0)) for item in found)
    return Counter(
        (int(source[wire]), int(dst[row, wire]))
        for dst, rows, wires in places
        for row, wire in zip(rows, wires, strict=True)
    )


@pytest.mark.parametrize("offline", [False, True])
def test_a_message_set_is_sent_whole_on_line_and_off_line(offline: bool) -> None:
    found = list(items(sequences.KRelation(each=3, offline=offline)))
    sent = pairs(found)
    assert Counter(s for s, _ in sent.elements()) == dict.fromkeys(range(8), 3)
    assert Counter(d for _, d in sent.elements()) == dict.fromkeys(range(8), 3)
    assert {item.queue for item in found} == {not offline}
    assert {item.lossless for item in found} == {offline}
    assert {item.family for item in found} == {"3-relation"}
    assert (found[0].delivery is not None) == offline


def test_a_set_of_ones_own() -> None:
    src, dst = np.array([0, 0, 5]), np.array([7, 8, 1])
    own = sequences.Messages("mine", src=src, dst=dst)
    found = list(items(own))
    assert pairs(found) == {(0, 7): 1, (0, 8): 1, (5, 1): 1} and found[0].family == "mine"
    assert pairs(list(items(sequences.AllToOne(goal=5)))) == {(s, 5): 1 for s in range(8) if s != 5}
    every = {(s, d): 2 for s in range(8) for d in range(8) if s != d}
    assert pairs(list(items(sequences.AllToAll(times=2)))) == every


def test_the_messages_of_a_file(tmp_path: Path) -> None:
    """By its path, or as MESSAGES names it."""
    path = str(tmp_path / "cube.csv")
    cube = [(p, p ^ 1 << bit) for p in range(8) for bit in range(3)]
    Path(path).write_text("source,destination\n" + "".join(f"{s},{d}\n" for s, d in cube))
    assert pairs(list(items(sequences.MessageFile(path=path)))) == Counter(cube)
    scheduled = sequences.MessageFile(offline=True)
    assert pairs(list(items(scheduled, MESSAGES=path))) == Counter(cube)


@pytest.mark.parametrize(
    ("sequence", "message"),
    [
        (sequences.Messages("mine"), "mine: no messages are given"),
        (sequences.DeliveryCycles("mine"), "mine: no delivery cycles are given"),
        (sequences.MessageFile("mine"), "mine: no file is given"),
        (sequences.MessageFile(path="nowhere.csv"), "nowhere.csv"),
        (
            sequences.OneCycleEach("mine", sets=[(np.array([0] * 9), np.array([1] * 9))]),
            "mine: a source has more messages than wires",
        ),
    ],
)
def test_what_is_missing(sequence: Sequence, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        list(items(sequence))
