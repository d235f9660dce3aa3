"""The scoreboard of the serial link: every single deviation from the plan has its name."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.serial.messages import MessageSet, SerialCaptured
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.plan import make_plan
from fattree_bench.families.leiserson.scoreboard import SerialScoreboard
from tests.tb.bench.alone import alone
from tests.tb.faults.test_reading import met

NETWORK = Leiserson.from_variables({"N": "4", "W": "4"})  # wires: 4 processors, 4 outside
PERMUTATION = [[2, 3, 0, 1, -1, -1, -1, -1], [-1, 0, -1, 4, 2, -1, -1, -1]]
CONFLICT = [[1, -1, 1, -1, -1, -1, -1, -1]]


@pytest.fixture
def board() -> SerialScoreboard:
    return alone(SerialScoreboard, NETWORK)


def messages(rows: list[list[int]], **options: bool) -> MessageSet:
    """An item with its plan."""
    item = MessageSet(np.array(rows, np.int32), "messages", **options)
    item.sequence = 0
    item.plan = make_plan(NETWORK, item, 1)
    return item


def sound(item: MessageSet) -> SerialCaptured:
    """What a sound network shows, in arrays that may be written."""
    plan = item.plan
    words = NETWORK.layout.words(item)
    return SerialCaptured(
        item,
        0,
        sent=plan.sent.copy(),
        acked=plan.acked.copy(),
        arrived=plan.arrived.copy(),
        trailing=np.zeros_like(plan.sent),
        ack_tick=plan.ack_tick.copy(),
        tick=plan.tick.copy(),
        data=words[plan.from_row, plan.from_wire] & plan.receives,
        lost=plan.lost.sum(axis=0).astype(np.uint32),
        clocks=plan.cycles * NETWORK.layout.ticks,
    )


def bit(packed: npt.NDArray[np.uint8], cycle: int, wire: int) -> None:
    packed[cycle, wire // 8] ^= 1 << wire % 8


def nothing(seen: SerialCaptured) -> None:
    pass


def flip(seen: SerialCaptured) -> None:
    seen.data[0, 2] ^= 1 << 9


def lose(seen: SerialCaptured) -> None:
    bit(seen.arrived, 0, 2)
    seen.data[0, 2] = 0
    seen.tick[0, 2] = 0


def swap(seen: SerialCaptured) -> None:
    seen.data[0, [2, 3]] = seen.data[0, [3, 2]]


def copy(seen: SerialCaptured) -> None:
    bit(seen.arrived, 1, 1)
    seen.data[1, 1] = seen.data[1, 0]


def invent(seen: SerialCaptured) -> None:
    bit(seen.arrived, 1, 1)
    seen.data[1, 1] = 0xDEADBEEF


def stray(seen: SerialCaptured) -> None:
    seen.data[1, 1] = 0xDEADBEEF


def again(seen: SerialCaptured) -> None:
    """A message of the cycle before comes once more."""
    bit(seen.arrived, 1, 1)
    seen.data[1, 1] = seen.data[0, 1]


def late(seen: SerialCaptured) -> None:
    seen.tick[0, 2] += 1


def trail(seen: SerialCaptured) -> None:
    bit(seen.trailing, 0, 2)


def silent(seen: SerialCaptured) -> None:
    bit(seen.sent, 0, 1)


def unacknowledged(seen: SerialCaptured) -> None:
    bit(seen.acked, 0, 1)


def acknowledged_unsent(seen: SerialCaptured) -> None:
    bit(seen.acked, 0, 4)


def acknowledged_late(seen: SerialCaptured) -> None:
    seen.ack_tick[0, 1] += 1


def miscount(seen: SerialCaptured) -> None:
    seen.lost[1] += 1


def dawdle(seen: SerialCaptured) -> None:
    seen.clocks += 1


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        (nothing, {}),
        (flip, {kind.CORRUPTED: 1}),
        (lose, {kind.LOST: 1}),
        (swap, {kind.MISDELIVERED: 2}),
        (copy, {kind.DUPLICATED: 1}),
        (invent, {kind.SPURIOUS: 1}),
        (stray, {kind.IDLE_NOT_ZERO: 1}),
        (again, {kind.DUPLICATED: 1}),
        (late, {kind.LATE: 1}),
        (trail, {kind.TRAILING: 1}),
        (silent, {kind.SENDING: 1}),
        (unacknowledged, {kind.ACKNOWLEDGE: 1}),
        (acknowledged_unsent, {kind.ACKNOWLEDGE: 1}),
        (acknowledged_late, {kind.ACKNOWLEDGE: 1}),
        (miscount, {kind.CONFLICTS: 1}),
        (dawdle, {kind.CYCLE: 1}),
    ],
)
def test_name_of_a_fault(
    fault: Callable[[SerialCaptured], None], names: dict[str, int], board: SerialScoreboard
) -> None:
    item = messages(PERMUTATION)
    board.announce(item)
    seen = sound(item)
    fault(seen)
    board.write(seen)
    board.check_phase()
    assert dict(board.faults.counts) == names
    lost = int(board.conflicts.sum())  # as the network counts, not as is predicted
    assert lost == seen.lost.sum() and bool(lost) == (fault is miscount)


def test_a_missing_acknowledge_is_told_of_its_message(board: SerialScoreboard) -> None:
    item = messages(PERMUTATION)
    board.announce(item)
    seen = sound(item)
    unacknowledged(seen)
    board.write(seen)
    (fault,) = board.faults.seen
    assert fault.expected is not None
    ends = fault.expected.source, fault.expected.destination
    assert ends == (1, PERMUTATION[0][1])
    assert board.suspects.faulty == 1


def test_a_message_that_the_model_loses_must_not_arrive(board: SerialScoreboard) -> None:
    item = messages(CONFLICT)
    board.announce(item)
    seen = sound(item)
    winner = int(item.plan.from_wire[0, 1])
    seen.data[0, 1] = NETWORK.layout.words(item)[0, 2 - winner]
    board.write(seen)
    assert dict(board.faults.counts) == {kind.UNPREDICTED: 1, kind.LOST: 1}


SETS = ((CONFLICT, True, kind.SCHEDULE), ([[-1] * 8], False, kind.UNCHECKED))


@pytest.mark.parametrize(("rows", "lossless", "named"), SETS, ids=str)
def test_a_schedule_with_a_loss_and_an_empty_set_are_named(
    rows: list[list[int]], lossless: bool, named: str, board: SerialScoreboard
) -> None:
    item = messages(rows, lossless=lossless)
    board.announce(item)
    board.write(sound(item))
    board.check_phase()
    assert dict(board.faults.counts) == {named: 1}


def test_a_set_that_is_not_seen_to_its_end_is_unchecked(board: SerialScoreboard) -> None:
    for item in (messages(PERMUTATION), messages(PERMUTATION)):
        board.announce(item)
    board.write(sound(item))
    board.check_phase()
    assert dict(board.faults.counts) == {kind.UNCHECKED: 1}


def test_an_unknown_output_is_named(board: SerialScoreboard) -> None:
    item = messages(PERMUTATION)
    board.announce(item)
    board.write(sound(item))
    board.unknown = met()
    board.check_phase()
    assert dict(board.faults.counts) == {kind.UNKNOWN: 1}


def test_a_delivery_cycle_that_does_not_end_is_named(board: SerialScoreboard) -> None:
    """What ended before it is checked all the same."""
    item = messages(PERMUTATION)
    board.announce(item)
    seen = sound(item)
    late(seen)
    for name in ("sent", "acked", "arrived", "trailing", "ack_tick", "tick", "data"):
        setattr(seen, name, getattr(seen, name)[:1])
    seen.cut = True
    board.write(seen)
    board.check_phase()
    assert dict(board.faults.counts) == {kind.LATE: 1, kind.LIMIT: 1}
    (output,) = board.faults.examples[kind.LIMIT]
    assert output == f"messages: delivery cycle 1 did not end in {seen.clocks} clocks"


@pytest.mark.parametrize(("ports", "some"), [(1, False), (2, True)])
def test_overtaken_messages_against_brute_force(ports: int, some: bool) -> None:
    """Those of one wire keep their order; a processor's second wire may be quicker."""
    network = Leiserson.from_variables(
        {"N": "8", "CAPACITY": f"2,2,2,{ports}", "DISCIPLINE": "RANDOMISED"}
    )
    rng = np.random.default_rng(1)
    dst = rng.integers(0, 4, (20, network.wires)).astype(np.int32)
    dst[:, 8 * ports :] = -1  # no message from outside
    own = np.arange(8 * ports) // ports
    dst[:, : 8 * ports] += 4 * (own < 4)  # to the other half
    item = MessageSet(dst, "messages", queue=True)
    plan = make_plan(network, item, 1)
    arrived: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for cycle, wire in np.argwhere(plan.outcome.delivered).tolist():
        row = int(plan.row[cycle, wire])
        pair = (wire // ports, int(dst[row, wire]))
        arrived.setdefault(pair, []).append((row, cycle))
    count = sum(
        any(row > own_row and cycle < own_cycle for row, cycle in of_pair)
        for of_pair in arrived.values()
        for own_row, own_cycle in of_pair
    )
    assert plan.overtaken == count
    assert (count > 0) == some
