"""Results of the fat-tree of a load-balanced switch, and what measures must say of them."""

from fattree_bench.bench.result import Quantity, ScenarioResult, Test, table
from fattree_bench.families.lbbvn.environment import LEVELS
from tests.tb.families.claim_case import Cases, fails, holds, undecided

LEMMA_1 = {2: [1], 4: [1, 1], 8: [2, 2, 1], 16: [4, 3, 2, 1]}  # from level 1 down
NONBLOCKING = {2: [1], 4: [2, 1], 8: [4, 2, 1], 16: [8, 4, 2, 1]}


def slots(
    leaves: int = 16,
    scenario: str = "frame",
    lost: int = 0,
    lanes: list[int | None] | None = None,
    used: list[int | None] | None = None,
    passed: bool = True,
    down: list[int] | None = None,
    down_used: list[int] | None = None,
) -> Test:
    """A test of 256 packets on the lanes of Lemma 1, all of them used, by default.

    What is given holds up and down; `down`, `down_used`: down alone.
    """
    lanes, used = lanes or list(LEMMA_1[leaves]), used or list(LEMMA_1[leaves])
    down, down_used = down or lanes, down_used or used
    below = [None if x is None else 2 * x for x in down]
    rows = [(0, None, None, below[0], None, None, None, None, None, None)]
    for j, (bound, whole) in enumerate(zip(LEMMA_1[leaves], NONBLOCKING[leaves], strict=True)):
        own = lanes[j], down[j], ([*below, None])[j + 1], bound, whole
        rows.append((j + 1, *own, used[j], down_used[j], 0, 0))
    if lost:  # the output ports of the leaves have a row of their own
        rows.append((None, *8 * [None], lost))
    result = ScenarioResult(
        scenario,
        steps=25,
        sent=256,
        delivered=256 - lost,
        losses={"in conflicts": lost},
        figures={"leaves": Quantity(leaves, "leaves")},
        tables={"levels": table(LEVELS, rows)},
    )
    return Test("lbbvn", "tree", {}, "icarus", 1, scenario, passed, result)


def frames(**same: object) -> list[Test]:
    return [slots(scenario=name, **same) for name in ("frame", "rotators", "plain_xors")]


def check(**recorded: float) -> Test:
    file = "tests/models/test_degrees.py"
    return Test("lbbvn", file, {}, "pytest", 0, "test_all[0]", True, recorded=recorded)


def asked(up: int = 4, down: int = 4) -> Test:
    return check(permutations=40320, lanes_up=up, lanes_down=down, nonblocking=4)


def all_of(lanes: list[int | None] | None = None, lost: int = 0) -> Test:
    return slots(8, "all_permutations", lost, lanes or [4, 2, 1])


# Measure, tests, verdict, text.
CASES: Cases = {
    # ---- Lemma 1
    "fewer_lanes_lose": (
        holds(
            "6 of 6 runs of 3 kinds of frames lost packets (at least 6.2 %) in 2 trees with fewer "
            "lanes, N = 16",
            *frames(lanes=[3, 3, 2, 1], lost=16),
            *frames(lanes=[4, 2, 2, 1], lost=64),
        ),
        fails("3 of 4 runs", *frames(lanes=[3, 3, 2, 1], lost=16), slots(lanes=[4, 2, 2, 1])),
        # no lane less
        undecided(*frames()),
        undecided(*frames(lanes=[8, 4, 2, 1])),
        # also a lane less downwards
        fails("0 of 3 runs", *frames(down=[3, 3, 2, 1])),
    ),
    # ---- Lemma 5, Corollary 6
    "lanes_of_lemma_1": (
        holds(
            "0 of 1\N{NO-BREAK SPACE}024 packets lost; 10 of 10 levels have Lemma 1's lanes up "
            "and down, all of them in use, N = 2 … 16",
            *[slots(n) for n in LEMMA_1],
        ),
        # Inside the fixed wires of a static upper half there are no channels.
        holds("3 of 3 levels have Lemma", slots(lanes=[None, 3, 2, 1], used=[None, 3, 2, 1])),
        fails("2 of 3 levels have Lemma", slots(lanes=[None, 3, 2, 1], used=[None, 2, 2, 1])),
        fails("1 of 256 packets lost", slots(lost=1)),
        fails("3 of 4 levels have Lemma", slots(used=[5, 3, 2, 1])),
        fails("3 of 4 levels have Lemma", slots(used=[3, 3, 2, 1])),
        fails("3 of 4 levels have Lemma", slots(down_used=[3, 3, 2, 1])),
        # an RTL that is not reduced, or only upwards, or has a lane more than it needs
        fails("2 of 4 levels have Lemma", slots(lanes=[8, 4, 2, 1])),
        fails("2 of 4 levels have Lemma", slots(down=[8, 4, 2, 1])),
        fails("3 of 4 levels have Lemma", slots(lanes=[4, 4, 2, 1])),
        # an RTL without meters
        undecided(slots(lanes=[None] * 4, used=[None] * 4)),
        undecided(slots(scenario="rotators", lost=48)),
    ),
    # ---- degrees as printed: rounded up from 1.75 and 0.9375 lanes at levels 3 and 4 of 16 leaves
    "degrees": (
        holds(
            "6 of 6 levels have and use Lemma 1's lanes, up and down; at 3 the bound was a "
            "fraction and is rounded up, N = 4, ",
            slots(),
            slots(4),
        ),
        fails("3 of 4 levels have and", slots(used=[5, 3, 2, 1])),
        fails("3 of 4 levels have and", slots(used=[4, 3, 1, 1])),
        fails("3 of 4 levels have and", slots(down_used=[4, 3, 1, 1])),
        # lanes of levels 1 and 2, and so the degree down of a node of level 1
        fails("2 of 4 levels have and", slots(lanes=[8, 4, 2, 1])),
        fails("2 of 4 levels have and", slots(down=[4, 4, 2, 1])),
        # nothing to round
        undecided(slots(lanes=[4, 3, None, None], used=[4, 3, None, None])),
        undecided(slots(scenario="rotators")),
    ),
    # ---- the reduction is in the upper half
    "saved_above_the_middle": (
        holds(
            "3 of 3 upper levels have fewer lanes than nonblocking, 4 of 4 lower "
            "ones as many, all in use; 0 of 512 packets lost, N = 8, 16",
            slots(),
            slots(8),
        ),
        fails("1 of 2 upper levels", slots(lanes=[8, 3, 2, 1])),
        fails("1 of 2 upper levels", slots(down=[4, 4, 2, 1])),
        fails("1 of 2 lower ones", slots(used=[4, 3, 1, 1])),
        fails("1 of 256 packets lost", slots(lost=1)),
        holds(
            "1 of 1 upper levels have fewer lanes than nonblocking, 2 of 2 lower",
            slots(lanes=[None, 3, 2, 1], used=[None, 3, 2, 1]),
        ),
        # has no upper half
        undecided(slots(2)),
    ),
    # ---- rotators and symmetric TDM
    "need_nonblocking": (
        holds(
            "96 of 512 packets lost on Lemma 1's lanes, N = 16; 0 of 256 packets lost on "
            "nonblocking ones, all in use",
            slots(scenario="rotators", lost=48),
            slots(scenario="symmetric_tdm", lost=48),
            slots(scenario="rotators", lanes=[8, 4, 2, 1], used=[8, 4, 2, 1]),
        ),
        fails(
            "0 of 256 packets lost on Lemma 1's lanes",
            slots(scenario="rotators"),
            slots(scenario="rotators", lanes=[8, 4, 2, 1], used=[8, 4, 2, 1]),
        ),
        fails(
            "2 of 256 packets lost on nonblocking",
            slots(scenario="rotators", lost=48),
            slots(scenario="rotators", lanes=[8, 4, 2, 1], used=[8, 4, 2, 1], lost=2),
        ),
        fails(
            "not all in use",
            slots(scenario="rotators", lost=48),
            slots(scenario="rotators", lanes=[8, 4, 2, 1], used=[7, 4, 2, 1]),
        ),
        # half of it
        undecided(slots(scenario="rotators", lost=48)),
        # Two leaves: one lane is both Lemma 1's and the nonblocking degree, which proves nothing.
        undecided(slots(scenario="rotators", lost=48), slots(2, "rotators")),
    ),
    # ---- static upper half
    "fixed_wires": (
        holds(
            "0 of 512 packets lost in frames that map uniformly, 100 of 256 packets lost in "
            "rotators and TDM, N = 16",
            slots(),
            slots(scenario="xor_frame"),
            slots(scenario="rotators", lost=100),
        ),
        fails("1 of 256 pack", slots(lost=1), slots(scenario="rotators", lost=9)),
        fails("0 of 256 packets lost in rot", slots(), slots(scenario="rotators")),
        undecided(slots()),
    ),
    # ---- all permutations
    "every_permutation": (
        holds(
            "0 of 256 packets lost in all permutations, N = 8; 0 of 1 level need more lanes "
            "for 40\N{NO-BREAK SPACE}320",
            all_of(),
            asked(),
        ),
        fails("1 of 256 packets lost", all_of(lost=1), asked()),
        fails("1 of 1 level need", all_of(), asked(down=5)),
        undecided(all_of()),
        undecided(slots(scenario="permutations"), asked()),
    ),
    "fewer_lanes_block": (
        holds(
            "1 of 1 run with a lane less lost packets; fewer are enough for all permutations "
            "at 0 of 1 levels up, 0 down",
            all_of([3, 2, 1], 9),
            asked(),
        ),
        fails("0 of 1 run with a lane less", all_of([3, 2, 1]), asked()),
        fails("at 1 of 1 levels up, 0", all_of([3, 2, 1], 9), asked(up=3)),
        fails("0 of 1 levels up, 1", all_of([3, 2, 1], 9), asked(down=3)),
        # on nonblocking
        fails("0 of 0 runs", all_of(lost=9), asked()),
        undecided(all_of([3, 2, 1], 9)),
    ),
    # ---- no buffers
    "nodes_without_state": (
        holds(
            "a node keeps 0 bits of state (120 with PIPELINE=1); 0 of 256 packets lost",
            slots(),
            check(state_bits=0, pipeline_bits=120),
        ),
        fails(
            "1 bits of state",
            slots(),
            check(state_bits=0, pipeline_bits=9),
            check(state_bits=1, pipeline_bits=9),
        ),
        fails("1 of", slots(lost=1), check(state_bits=0, pipeline_bits=9)),
        undecided(slots()),
        undecided(check(state_bits=0, pipeline_bits=9)),
    ),
}
