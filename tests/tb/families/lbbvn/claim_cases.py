"""Results of the fat-tree of a load-balanced switch, and what measures must say of them."""

from fattree_bench.bench.claims import FAILS, HOLDS, UNDECIDED
from fattree_bench.bench.result import Quantity, ScenarioResult, Test, table
from fattree_bench.families.lbbvn.environment import LEVELS

LEMMA_1 = {2: [1], 4: [1, 1], 8: [2, 2, 1], 16: [4, 3, 2, 1]}  # from level 1 down
NONBLOCKING = {2: [1], 4: [2, 1], 8: [4, 2, 1], 16: [8, 4, 2, 1]}


def slots(
    leaves: int = 16,
    scenario: str = "frame",
    lost: int = 0,
    lanes: list[int | None] | None = None,
    used: list[int] | None = None,
    passed: bool = True,
) -> Test:
    """A test of 256 packets; lanes and busiest channels are Lemma 1's by default."""
    lanes, used = lanes or list(LEMMA_1[leaves]), used or LEMMA_1[leaves]
    rows = [
        (j, lanes[j - 1], LEMMA_1[leaves][j - 1], NONBLOCKING[leaves][j - 1], used[j - 1], 0, 0)
        for j in range(1, len(lanes) + 1)
    ]
    if lost:  # the output ports of the leaves have a row of their own
        rows.append((None, 1, None, None, None, None, lost))
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
CASES: tuple[tuple[str, list[Test], str, str], ...] = (
    # ---- Lemma 1
    (
        "fewer_lanes_lose",
        [*frames(lanes=[3, 3, 2, 1], lost=16), *frames(lanes=[4, 2, 2, 1], lost=64)],
        HOLDS,
        "6 of 6 runs of 3 kinds of frames lost packets (at least 6.2 %) in 2 trees with a lane "
        "less, N = 16",
    ),
    (
        "fewer_lanes_lose",
        [*frames(lanes=[3, 3, 2, 1], lost=16), slots(lanes=[4, 2, 2, 1])],
        FAILS,
        "3 of 4 runs",
    ),
    ("fewer_lanes_lose", frames(), UNDECIDED, ""),  # no lane less
    ("fewer_lanes_lose", frames(lanes=[8, 4, 2, 1]), UNDECIDED, ""),
    # ---- Lemma 5, Corollary 6
    (
        "lanes_of_lemma_1",
        [slots(n) for n in LEMMA_1],
        HOLDS,
        "0 of 1\N{NO-BREAK SPACE}024 packets lost; busiest channel = Lemma 1's lanes at every "
        "level, N = 2 … 16",
    ),
    # Inside the fixed wires of a static upper half there are no channels.
    (
        "lanes_of_lemma_1",
        [slots(lanes=[None, 3, 2, 1], used=[0, 3, 2, 1])],
        HOLDS,
        "at every level, N = 16",
    ),
    (
        "lanes_of_lemma_1",
        [slots(lanes=[None, 3, 2, 1], used=[0, 2, 2, 1])],
        FAILS,
        "not at 1 of 3 levels",
    ),
    ("lanes_of_lemma_1", [slots(lost=1)], FAILS, "1 of 256 packets lost"),
    ("lanes_of_lemma_1", [slots(used=[5, 3, 2, 1])], FAILS, "not at 1 of 4 levels"),
    ("lanes_of_lemma_1", [slots(used=[3, 3, 2, 1])], FAILS, "not at 1 of 4 levels"),
    ("lanes_of_lemma_1", [slots(scenario="rotators", lost=48)], UNDECIDED, ""),
    # ---- degrees as printed: rounded up from 1.75 and 0.9375 lanes at levels 3 and 4 of 16 leaves
    (
        "degrees",
        [slots(), slots(4)],
        HOLDS,
        "0 of 6 levels use other than ⌈2^(n-j) (1 - 2^-j)⌉ lanes, a fraction before at 3, N = 4, ",
    ),
    ("degrees", [slots(used=[5, 3, 2, 1])], FAILS, "1 of 4 levels use other"),
    ("degrees", [slots(used=[4, 3, 1, 1])], FAILS, "1 of 4 levels use other"),
    ("degrees", [slots(lanes=[4, 3], used=[4, 3])], UNDECIDED, ""),  # nothing to round
    ("degrees", [slots(scenario="rotators")], UNDECIDED, ""),
    # ---- the reduction is in the upper half
    (
        "saved_above_the_middle",
        [slots(), slots(8)],
        HOLDS,
        "fewer lanes in use than nonblocking at 3 of 3 upper levels, all at 4 of 4 lower ones, "
        "N = 8, 16",
    ),
    ("saved_above_the_middle", [slots(used=[8, 3, 2, 1])], FAILS, "1 of 2 upper levels"),
    ("saved_above_the_middle", [slots(used=[4, 3, 1, 1])], FAILS, "all at 1 of 2 lower"),
    (
        "saved_above_the_middle",
        [slots(lanes=[None, 3, 2, 1], used=[0, 3, 2, 1])],
        HOLDS,
        "at 1 of 1 upper levels, all at 2 of 2",
    ),
    ("saved_above_the_middle", [slots(2)], UNDECIDED, ""),  # has no upper half
    # ---- rotators and symmetric TDM
    (
        "need_nonblocking",
        [
            slots(scenario="rotators", lost=48),
            slots(scenario="symmetric_tdm", lost=48),
            slots(scenario="rotators", lanes=[8, 4, 2, 1], used=[8, 4, 2, 1]),
        ],
        HOLDS,
        "96 of 512 packets lost on Lemma 1's lanes, N = 16; 0 of 256 packets lost on nonblocking, "
        "all lanes in use",
    ),
    (
        "need_nonblocking",
        [
            slots(scenario="rotators"),
            slots(scenario="rotators", lanes=[8, 4, 2, 1], used=[8, 4, 2, 1]),
        ],
        FAILS,
        "0 of 256 packets lost on Lemma 1's lanes",
    ),
    (
        "need_nonblocking",
        [
            slots(scenario="rotators", lost=48),
            slots(scenario="rotators", lanes=[8, 4, 2, 1], used=[8, 4, 2, 1], lost=2),
        ],
        FAILS,
        "2 of 256 packets lost on nonblocking",
    ),
    (
        "need_nonblocking",
        [
            slots(scenario="rotators", lost=48),
            slots(scenario="rotators", lanes=[8, 4, 2, 1], used=[7, 4, 2, 1]),
        ],
        FAILS,
        "not all lanes in use",
    ),
    ("need_nonblocking", [slots(scenario="rotators", lost=48)], UNDECIDED, ""),  # half of it
    # Two leaves: one lane is both Lemma 1's and the nonblocking degree, which proves nothing.
    (
        "need_nonblocking",
        [slots(scenario="rotators", lost=48), slots(2, "rotators")],
        UNDECIDED,
        "",
    ),
    # ---- static upper half
    (
        "fixed_wires",
        [slots(), slots(scenario="xor_frame"), slots(scenario="rotators", lost=100)],
        HOLDS,
        "0 of 512 packets lost of frames that map uniformly, 100 of 256 packets lost of rotators "
        "and TDM, N = 16",
    ),
    ("fixed_wires", [slots(lost=1), slots(scenario="rotators", lost=9)], FAILS, "1 of 256 pack"),
    ("fixed_wires", [slots(), slots(scenario="rotators")], FAILS, "0 of 256 packets lost of rot"),
    ("fixed_wires", [slots()], UNDECIDED, ""),
    # ---- all permutations
    (
        "every_permutation",
        [all_of(), asked()],
        HOLDS,
        "0 of 256 packets lost in all permutations, N = 8; more lanes asked for at 0 of 1 level by "
        "40\N{NO-BREAK SPACE}320",
    ),
    ("every_permutation", [all_of(lost=1), asked()], FAILS, "1 of 256 packets lost"),
    ("every_permutation", [all_of(), asked(down=5)], FAILS, "at 1 of 1 level"),
    ("every_permutation", [all_of()], UNDECIDED, ""),
    ("every_permutation", [slots(scenario="permutations"), asked()], UNDECIDED, ""),
    (
        "fewer_lanes_block",
        [all_of([3, 2, 1], 9), asked()],
        HOLDS,
        "1 of 1 run with a lane less lost packets; fewer do for all permutations at 0 of 1 levels "
        "up, 0 down",
    ),
    ("fewer_lanes_block", [all_of([3, 2, 1]), asked()], FAILS, "0 of 1 run with a lane less"),
    ("fewer_lanes_block", [all_of([3, 2, 1], 9), asked(up=3)], FAILS, "at 1 of 1 levels up, 0"),
    ("fewer_lanes_block", [all_of([3, 2, 1], 9), asked(down=3)], FAILS, "0 of 1 levels up, 1"),
    ("fewer_lanes_block", [all_of(lost=9), asked()], FAILS, "0 of 0 runs"),  # on nonblocking
    ("fewer_lanes_block", [all_of([3, 2, 1], 9)], UNDECIDED, ""),
    # ---- no buffers
    (
        "nodes_without_state",
        [slots(), check(state_bits=0, pipeline_bits=120)],
        HOLDS,
        "0 bits of state in a node (120 with a register at every port); 0 of 256 packets lost",
    ),
    (
        "nodes_without_state",
        [slots(), check(state_bits=0, pipeline_bits=9), check(state_bits=1, pipeline_bits=9)],
        FAILS,
        "1 bits of state",
    ),
    ("nodes_without_state", [slots(lost=1), check(state_bits=0, pipeline_bits=9)], FAILS, "1 of"),
    ("nodes_without_state", [slots()], UNDECIDED, ""),
    ("nodes_without_state", [check(state_bits=0, pipeline_bits=9)], UNDECIDED, ""),
)
