"""Every single deviation of SPIN, on its links and at its terminals, has a name."""

from collections.abc import Callable

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Finding
from fattree_bench.bench.path.heads import Hops
from fattree_bench.families.spin.exchange import DAMAGED, LAST, WRITE
from fattree_bench.families.spin.plan import Flip, SpinPlan, SpinSet, link_of
from fattree_bench.families.spin.receiving import Flagged
from fattree_bench.families.spin.requests import (
    VALID,
    Commands,
    RequestPlan,
    RequestsCaptured,
    RequestSet,
    RequestsOver,
)
from fattree_bench.families.spin.scoreboard import SpinScoreboard
from fattree_models import spin
from fattree_models.traffic import Packets
from tests.tb.bench.alone import alone
from tests.tb.bench.judged import judged
from tests.tb.families.spin.test_requests import MEMORY_W, NETWORK, WORDS_SHOWN

TREE = NETWORK.tree
ROWS = 60


class Script:
    """Terminal 0 writes to 5 and to 7, terminal 1 reads from 6: two words each, in clock 4."""

    def __init__(self) -> None:
        self.board = alone(SpinScoreboard, NETWORK)
        self.flips: tuple[Flip, ...] = ()
        self.stuck = False
        self.state = np.zeros(WORDS_SHOWN, np.uint16)
        self.home = np.ones(NETWORK.layout.inputs, np.bool_)
        shape = ROWS, NETWORK.terminals
        self.issued, self.dropped = np.zeros((2, *shape), np.uint8)
        self.served, self.response = np.zeros(shape, np.uint16), np.zeros(shape, np.uint64)
        for initiator, tag, target, clock in ((0, 0, 5, 4), (0, 1, 7, 6), (1, 0, 6, 4)):
            self.issued[clock, initiator] = 0x80 | tag
            self.served[clock + 8, target] = 0x8000 | tag << 8 | initiator
            head = VALID | 2 << 55 | tag << 51 | target << 43
            if initiator == 0:
                self.response[clock + 20, initiator] = head | LAST | WRITE
            else:
                self.response[clock + 20 : clock + 22, initiator] = head, head | LAST

    def names(self) -> dict[str, int]:
        commands = Commands.of([0, 0, 1], [5, 7, 6], 4, 2, 0, [True, True, False])
        item = RequestSet(commands, "by hand", self.flips)
        memories = {i: spin.Memory(MEMORY_W) for i in range(NETWORK.terminals)}
        plan = item.plan = RequestPlan(NETWORK, item, memories)
        seen = self.issued, self.served, self.dropped, self.response
        self.board.write(RequestsCaptured(item, 0, *seen))
        self.board.finish(RequestsOver(plan, self.state, self.home, self.stuck))
        return dict(self.board.faults.counts)


@pytest.fixture
def script() -> Script:
    return Script()


def nothing(script: Script) -> None:
    pass


def one_command_more(script: Script) -> None:
    script.issued[30, 1] = 0x81


def too_early(script: Script) -> None:
    script.issued[3, 0], script.issued[4, 0] = script.issued[4, 0], 0


def tag_in_use(script: Script) -> None:
    """Neither target knows which of the two requests it has."""
    script.issued[6, 0] = 0x80


def other_target(script: Script) -> None:
    script.served[12, 4], script.served[12, 5] = script.served[12, 5], 0


def served_again(script: Script) -> None:
    script.served[15, 5] = script.served[12, 5]


def drops(script: Script) -> None:
    """The target has had it already: only that it says so is wrong."""
    script.dropped[14, 5] = 1


def damaged_response(script: Script) -> None:
    script.response[24, 0] |= np.uint64(DAMAGED)


def one_word_less(script: Script) -> None:
    script.response[24, 1] = 0


def other_data(script: Script) -> None:
    script.response[24, 1] |= np.uint64(1)


def never_issued(script: Script) -> None:
    script.issued[4, 1] = script.served[12, 6] = script.response[24:26, 1] = 0


def stands_still(script: Script) -> None:
    script.response[24, 0], script.stuck = 0, True


def damage_unseen(script: Script) -> None:
    script.flips = (Flip(0, 0, 1),)


def words_left(script: Script) -> None:
    script.state[3] = 1


def credit_lost(script: Script) -> None:
    script.home[3] = False


def links_differ(script: Script) -> None:
    class Differs:
        def check(self, bursts: object, first: int) -> Finding:
            return Finding(kind.LINK, "one of them")

    script.board.exact = Differs()  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        (nothing, {}),
        (one_command_more, {kind.SPURIOUS: 1}),
        (too_early, {kind.EARLY: 1}),
        (tag_in_use, {kind.SENDING: 1, kind.MISDELIVERED: 1, kind.SPURIOUS: 1}),
        (other_target, {kind.MISDELIVERED: 1, kind.SPURIOUS: 1, kind.LOST: 1}),
        (served_again, {kind.SPURIOUS: 1}),
        (drops, {kind.LOST: 1}),
        (damaged_response, {kind.CORRUPTED: 1}),
        (one_word_less, {kind.CORRUPTED: 1}),
        (other_data, {kind.CORRUPTED: 1}),
        (never_issued, {kind.STUCK: 1}),
        (stands_still, {kind.STUCK: 1, kind.LOST: 1}),
        (damage_unseen, {kind.LOST: 1, kind.CORRUPTED: 1}),
        (words_left, {kind.NOT_EMPTY: 1}),
        (credit_lost, {kind.CREDITS: 1}),
        (links_differ, {kind.LINK: 1}),
    ],
)
def test_name_of_a_fault_of_requests(
    fault: Callable[[Script], None], names: dict[str, int], script: Script
) -> None:
    fault(script)
    assert script.names() == names


# ---- packets -------------------------------------------------------------------------------------

FLIP = (Flip(0, 1, 1),)  # in the first packet, an odd number of bits of a word
FLAGGED = Flagged(15, 40, 43, spin.Received(15, (), ("parity",)))
MARKED = Flagged(15, 40, 43, spin.Received(15, (), ("error",)))  # as a router does that finds it


def way(ports: tuple[tuple[int, ...], ...]) -> Hops:
    """Heads that leave routers by these ports, packet by packet from terminal 0."""
    found = NETWORK.structure.walk(np.zeros(len(ports), np.int64), np.array(ports))
    packet, hop = np.nonzero(found.link >= 0)
    link = found.link[packet, hop]
    tail = NETWORK.structure.tail[link]
    place = NETWORK.structure.level[tail], NETWORK.structure.number[tail]
    clock = 50 * packet + hop
    return Hops(packet, clock, link, packet * 0, *place, NETWORK.structure.tail_port[link])


UP = TREE.down_ports(1)  # the first port to a parent
IN_TURN = ((UP, 3, 3), (UP + 1, 3, 3))


def packets(
    ports: tuple[tuple[int, ...], ...] = IN_TURN,
    flips: tuple[Flip, ...] = (),
    flagged: tuple[Flagged, ...] = (),
    come: tuple[int, ...] = (0, 1),
    sooner: int = 0,
) -> dict[str, int]:
    """Faults of two packets from terminal 0 to 15, the second long behind the first."""
    item = SpinSet(Packets.of([0, 0], [15, 15], [0, 50], 4), "by hand", flips)
    item.alone = True
    plan = item.plan = SpinPlan(NETWORK, link_of(NETWORK), item)
    plan.receiver.flagged = list(flagged)
    plan.heads.hops = lambda: way(ports)  # type: ignore[method-assign]
    plan.seen.injected[:] = plan.sent.release + 1
    tails = plan.sent.release + plan.least_clocks() - [sooner, 0]
    tails[[i for i in range(2) if i not in come]] = -1
    plan.seen.gone = plan.damaged & (tails < 0)
    return judged(SpinScoreboard, plan, tails)


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({}, {}),
        ({"flips": FLIP, "flagged": (MARKED,), "come": (1,)}, {}),
        ({"sooner": 1}, {kind.EARLY: 1}),
        ({"ports": ((UP, 3, 2), (UP + 1, 3, 3))}, {kind.ROUTE: 1}),
        ({"ports": ((UP, 3, 3), (UP, 3, 3))}, {kind.UNEVEN: 1}),
        ({"flagged": (FLAGGED,)}, {kind.CORRUPTED: 1}),
        ({"flips": FLIP, "flagged": (FLAGGED,), "come": (1,)}, {kind.MARKS: 1}),
        ({"flips": FLIP, "flagged": (MARKED,)}, {kind.CORRUPTED: 1}),
        ({"flips": FLIP, "come": (1,)}, {kind.LOST: 1}),
    ],
)
def test_name_of_a_fault_of_packets(given: dict[str, object], names: dict[str, int]) -> None:
    assert packets(**given) == names  # type: ignore[arg-type]
