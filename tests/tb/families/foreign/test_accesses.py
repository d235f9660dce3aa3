"""What the judge of accesses finds, step by step, without a simulator."""

import pytest

from fattree_bench.bench.interface import buses as b
from fattree_bench.bench.interface.buses import INCR
from fattree_bench.families.foreign import accesses as a
from fattree_bench.families.foreign.accesses import Access, Command, Judge

BUS, ROOM = 4, 64


@pytest.fixture
def judge() -> Judge:
    """Two managers, two memories of a page each, words of four bytes."""
    return Judge(2, 2, BUS, ROOM)


def access(write: bool, address: int = 0x40, beats: int = 2, **more: int) -> Access:
    given = {"packet": 7, "manager": 0, "memory": 0, "tag": 3, "size": 2, "burst": INCR} | more
    made = Access(write=write, address=address, beats=beats, **given)
    if write:
        made.data = [0x11223344 + k for k in range(beats)]
        made.strobes = [0xF] * beats
    return made


def asked(of: Access, **more: int) -> Command:
    """What comes to a memory of an access."""
    given = {"tag": of.tag, "address": of.address, "size": of.size, "burst": of.burst}
    return Command(None, of.write, **({**given, "beats": of.beats} | more))


def landed(judge: Judge, of: Access, memory: int = 0, **more: int) -> Command:
    """A write that comes to a memory, and is answered."""
    came = judge.command(memory, 1, asked(of, **more))
    for k in range(of.beats):
        judge.word(memory, 2, came, of.data[k], of.strobes[k], k == of.beats - 1)
    of.answered = 1
    return came


def names(judge: Judge) -> list[str]:
    return [name for name, *_ in judge.found]


def returned(judge: Judge, of: Access, words: list[int]) -> None:
    """A read that gets these words."""
    of.answered = of.beats
    for k, word in enumerate(words):
        judge.respond(of.manager, 5, False, of.tag, 0, word, k == len(words) - 1)


def test_addresses_of_beats() -> None:
    """By the equations of AXI4, A3.4.1, worked out by hand."""
    assert b.steps(0x1002, 2, INCR, 3) == [0x1002, 0x1004, 0x1008]
    assert b.steps(0x38, 3, b.WRAP, 4) == [0x38, 0x20, 0x28, 0x30]
    assert b.steps(0x7, 0, b.FIXED, 3) == [7, 7, 7]
    assert [*b.lanes(0x1002, 2, 8)] == [2, 3]
    assert [*b.lanes(0x1004, 2, 8)] == [4, 5, 6, 7]
    assert [*b.lanes(0x1003, 0, 4)] == [3]


def test_what_was_written_is_read(judge: Judge) -> None:
    one, partly = access(True), access(True)
    partly.strobes, partly.data = [0x6, 0x0], [0xAABBCCDD, 0]
    for write in (one, partly):
        judge.send(write)
        landed(judge, write)
        assert judge.respond(0, 3, True, 3, 0) is write
    read = access(False)
    judge.send(read)
    assert read.due == [0x11BBCC44, 0x11223345]
    assert judge.words(0, judge.command(0, 4, asked(read))) == read.due
    returned(judge, read, read.due)
    assert not judge.found and not any(judge.open)


@pytest.mark.parametrize(
    ("field", "value", "name"),
    [
        ("address", 0x44, "corrupted"),
        ("beats", 3, "corrupted"),
        ("size", 1, "corrupted"),
        ("burst", b.WRAP, "corrupted"),
        ("address", 0xC0, "corrupted"),  # near enough to be known
        ("address", 0xFFC0, "spurious"),
    ],
)
def test_a_changed_address(judge: Judge, field: str, value: int, name: str) -> None:
    judge.send(access(True))
    judge.command(0, 1, asked(access(True), **{field: value}))
    assert names(judge) == [name]


@pytest.mark.parametrize(
    ("data", "strobes", "last", "name"),
    [
        (0x11223345, 0xF, False, ["corrupted"]),
        (0x11223344, 0x7, False, ["corrupted"]),
        (0x11223344, 0xF, True, ["protocol"]),
        (0x11223344, 0xF, False, []),
    ],
)
def test_a_changed_word(judge: Judge, data: int, strobes: int, last: bool, name: list[str]) -> None:
    """Also a response before all words have come."""
    one = access(True)
    judge.send(one)
    judge.word(0, 2, judge.command(0, 1, asked(one)), data, strobes, last)
    assert names(judge) == name
    one.answered = 1
    judge.respond(0, 3, True, 3, 0)
    assert names(judge)[0] == (name or ["protocol"])[0]


def test_twice_and_elsewhere(judge: Judge) -> None:
    one, hole = access(True), access(True, address=0x4000, packet=-1, memory=-1)
    judge.send(one)
    judge.command(0, 1, asked(one))
    judge.command(0, 2, asked(one))
    assert names(judge) == ["duplicated"]
    judge.send(hole)
    judge.command(1, 3, asked(hole))
    assert names(judge) == ["duplicated", "misdelivered"]
    astray = access(False, address=0x100)
    judge.send(astray)
    judge.command(1, 3, asked(astray))
    assert astray.wrong and astray.seen == [1]  # the scoreboard tells it, by the packet's flits


def test_responses(judge: Judge) -> None:
    """Not asked for, of another ID, early, with another response, with another last."""
    assert judge.respond(0, 1, True, 3, 0) is None
    one = access(True)
    judge.send(one)
    assert judge.respond(0, 1, True, 4, 0) is None
    assert judge.respond(1, 1, True, 3, 0) is None
    assert judge.respond(0, 1, False, 3, 0) is None
    assert names(judge) == ["protocol"] * 4
    assert judge.respond(0, 1, True, 3, 0) is one
    assert "before its memory" in judge.found[-1][1]
    judge.found.clear()
    for response, name in ((a.SLVERR, "corrupted"), (0, "")):
        one = access(True, beats=1)
        judge.send(one)
        landed(judge, one)
        assert judge.respond(0, 1, True, 3, response) is one
        assert names(judge) == ([name] if name else ["corrupted"])
    judge.found.clear()
    read = access(False, address=0x80)
    judge.send(read)
    read.answered = 2
    judge.respond(0, 5, False, 3, 0, read.due[0], True)
    assert names(judge) == ["protocol"] and "RLAST is 1 at beat 0 of 2" in judge.found[0][1]


def test_order_of_an_id(judge: Judge) -> None:
    first, second, other = (
        access(False, address=at, tag=tag, packet=k)
        for k, (at, tag) in enumerate([(0x40, 3), (0x80, 3), (0xC0, 5)])
    )
    for one in (first, second, other):
        judge.send(one)
    returned(judge, other, other.due)  # of another ID it may come first
    assert not judge.found
    returned(judge, second, second.due)
    assert [(name, packet) for name, _, packet, _ in judge.found] == [("reordered", 1)]


def test_after_a_fault_the_memory_counts(judge: Judge) -> None:
    """One fault is one: what reads what was written wrongly is none."""
    one = access(True, beats=1)
    judge.send(one)
    judge.word(0, 2, judge.command(0, 1, asked(one)), 0, 0xF, True)
    one.answered = 1
    judge.respond(0, 3, True, 3, 0)
    read = access(False, beats=1)
    judge.send(read)
    assert names(judge) == ["corrupted"] and read.due == [0]


def test_a_reset_forgets(judge: Judge) -> None:
    one = access(True, beats=1)
    judge.send(one)
    judge.word(0, 2, judge.command(0, 1, asked(one)), one.data[0], 0xF, True)
    judge.reset()
    assert not any(judge.open)
    read = access(False, beats=1)
    judge.send(read)
    assert read.due == one.data and not judge.found
