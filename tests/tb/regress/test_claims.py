"""What claims make of results: each measure on figures that agree, that contradict, on none."""

from typing import Any

import pytest

from fattree_bench.bench.result import ScenarioResult
from fattree_bench.regress.claims import MEASURES, ONLINE_CONSTANT, judge
from fattree_bench.report import regression as r
from fattree_bench.report.regression import CORRECTED, FAILS, HOLDS, UNDECIDED
from tests.tb.families.lbbvn_switch import claim_cases as switch_claim_cases
from tests.tb.families.xgft import claim_cases as xgft_claim_cases

LEMMA_1 = {2: [1], 4: [1, 1], 8: [2, 2, 1], 16: [4, 3, 2, 1]}  # from level 1 down
NONBLOCKING = {2: [1], 4: [2, 1], 8: [4, 2, 1], 16: [8, 4, 2, 1]}
UNIVERSAL_64 = [16, 11, 7, 4, 3, 2, 1]  # w = 16, by hand


def ran(network: str, scenario: str, passed: bool = True, **figures: Any) -> r.Test:
    result = ScenarioResult(scenario, **figures)
    return r.Test(network, "tree", {}, "icarus", 1, scenario, passed, result)


def slots(
    leaves: int = 16,
    scenario: str = "frame",
    lost: int = 0,
    lanes: list[Any] | None = None,
    used: list[int] | None = None,
    passed: bool = True,
) -> r.Test:
    """A test of the slot link, 256 packets; lanes and busiest channels are Lemma 1's by default."""
    lanes, used = lanes or LEMMA_1[leaves], used or LEMMA_1[leaves]
    levels: list[dict[str, Any]] = [
        {
            "level": j,
            "lanes": str(lanes[j - 1]),
            "Lemma 1": LEMMA_1[leaves][j - 1],
            "nonblocking": NONBLOCKING[leaves][j - 1],
            "busiest": used[j - 1],
            "conflicts up": lost if j == 1 else 0,
            "down": 0,
        }
        for j in range(1, len(lanes) + 1)
    ]
    if lost:  # the output ports of the leaves have a row of their own
        levels.append({**dict.fromkeys(levels[0], ""), "level": "leaf", "lanes": 1, "down": lost})
    return ran(
        "lbbvn",
        scenario,
        passed,
        steps=25,
        sent=256,
        delivered=256 - lost,
        losses={"in conflicts": lost},
        levels=levels,
    )


def cycles(
    wires: list[int] | None = None,
    scenario: str = "offline",
    lost: int = 0,
    used: list[int] | None = None,
    deliveries: tuple[tuple[str, float, int], ...] = (),
) -> r.Test:
    """A test of the serial link, 1200 messages; (how, load factor, cycles) of its deliveries."""
    wires = wires or [7, 5, 3, 2, 1]
    levels = [
        {
            "level": k,
            "wires": cap,
            "load up": cap,
            "down": cap,
            "busiest up": (used or wires)[k],
            "busiest down": cap,
            "conflicts up": lost,
            "conflicts down": 0,
        }
        for k, cap in enumerate(wires)
    ]
    told = [
        {
            "family": "8-relation",
            "how": how,
            "offline": how not in ("RETRY", "RANDOMISED"),
            "messages": 100,
            "load_factor": factor,
            "cycles": number,
            "bound": None,
        }
        for how, factor, number in deliveries
    ]
    return ran(
        "leiserson",
        scenario,
        unit="delivery cycles",
        noun="messages",
        steps=40,
        sent=1200,
        delivered=1200 - lost,
        levels=levels,
        deliveries=told,
    )


def check(case: str = "test_all[0]", file: str = "tests/rtl/test_graph.py", passed: bool = True):
    return r.Test("lbbvn", file, {}, "pytest", 0, case, passed)


def scheduled(*deliveries: tuple[str, float, int], wires: list[int] | None = None) -> r.Test:
    return cycles(wires, deliveries=deliveries)


def frames(**same: Any) -> list[r.Test]:
    return [slots(scenario=name, **same) for name in ("frame", "rotators", "plain_xors")]


# Measure, tests, verdict, text.
CASES = (
    # ---- nothing_lost
    ("nothing_lost", [slots(), slots(4)], HOLDS, "0 of 512 packets lost in 50 slots, N = 4, 16"),
    ("nothing_lost", [slots(), slots(4, lost=3)], FAILS, "3 of 512 packets lost"),
    (
        "nothing_lost",
        [cycles(), cycles([4, 2, 1]), cycles([5, 4, 2, 1])],
        HOLDS,
        "0 of 3\N{NO-BREAK SPACE}600 messages lost in 120 delivery cycles, N = 4 … 16",
    ),
    ("nothing_lost", [cycles(lost=1)], FAILS, "1 of 1\N{NO-BREAK SPACE}200 messages lost"),
    ("nothing_lost", [check()], UNDECIDED, ""),
    # ---- proofs
    ("proofs", [check()], HOLDS, "1 of 1 check passed (graph)"),
    (
        "proofs",
        [check(), check("b"), check(file="tests/models/test_frame.py::test_lemma_4")],
        HOLDS,
        "3 of 3 checks passed (graph, lemma_4)",
    ),
    ("proofs", [check(), check("b", passed=False)], FAILS, "1 of 2 checks passed (graph)"),
    ("proofs", [slots()], UNDECIDED, ""),
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
        [slots(lanes=["wires", 3, 2, 1], used=[0, 3, 2, 1])],
        HOLDS,
        "at every level, N = 16",
    ),
    (
        "lanes_of_lemma_1",
        [slots(lanes=["wires", 3, 2, 1], used=[0, 2, 2, 1])],
        FAILS,
        "not at 1 of 3 levels",
    ),
    ("lanes_of_lemma_1", [slots(lost=1)], FAILS, "1 of 256 packets lost"),
    ("lanes_of_lemma_1", [slots(used=[5, 3, 2, 1])], FAILS, "not at 1 of 4 levels"),
    ("lanes_of_lemma_1", [slots(used=[3, 3, 2, 1])], FAILS, "not at 1 of 4 levels"),
    ("lanes_of_lemma_1", [slots(scenario="rotators", lost=48)], UNDECIDED, ""),
    # ---- degrees as printed: 1.75 and 0.9375 lanes at levels 3 and 4 of 16 leaves
    (
        "ceilings",
        [slots(), slots(4)],
        HOLDS,
        "3 of 6 levels used more than printed, 0 other than rounded up, N = 4, 16",
    ),
    ("ceilings", [slots(used=[5, 3, 2, 1])], FAILS, "3 of 4 levels used more than printed, 1 oth"),
    ("ceilings", [slots(used=[4, 3, 1, 1])], FAILS, "1 of 4 levels used more than printed, 1 oth"),
    ("ceilings", [slots(scenario="rotators")], UNDECIDED, ""),
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
        [slots(lanes=["wires", 3, 2, 1], used=[0, 3, 2, 1])],
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
    # ---- addresses
    (
        "addresses",
        [cycles(), check()],
        HOLDS,
        "0 of 1\N{NO-BREAK SPACE}200 messages lost, N = 16; 1 of 1 check passed (graph)",
    ),
    ("addresses", [cycles(lost=1), check()], FAILS, "1 of 1\N{NO-BREAK SPACE}200 messages lost"),
    ("addresses", [cycles(), check(passed=False)], FAILS, "0 of 1 check passed"),
    ("addresses", [cycles()], UNDECIDED, ""),
    ("addresses", [check()], UNDECIDED, ""),
    # ---- d >= lambda
    (
        "at_least_load_factor",
        [scheduled(("BALANCED", 2.5, 3), ("BALANCED", 3.0, 4)), scheduled(("RETRY", 4.0, 9))],
        HOLDS,
        "0 of 3 sets took fewer than lambda cycles; off-line d / ⌈lambda⌉: mean 1.17, worst 1.33",
    ),
    (
        "at_least_load_factor",
        [scheduled(("RETRY", 2.5, 3), ("RETRY", 0.5, 1))],
        HOLDS,
        "0 of 2 sets took fewer than lambda cycles",
    ),
    ("at_least_load_factor", [scheduled(("RETRY", 2.5, 2))], FAILS, "1 of 1 sets"),
    ("at_least_load_factor", [scheduled()], UNDECIDED, ""),
    # ---- Theorem 1: 2 lambda lg n = 24 cycles for lambda = 3 and 16 processors
    (
        "theorem_1",
        [scheduled(("THEOREM1", 3.0, 12), ("THEOREM1", 3.0, 6), ("RETRY", 3.0, 99))],
        HOLDS,
        "0.25 … 0.50 of 2 lambda lg n cycles in 2 schedules, N = 16",
    ),
    ("theorem_1", [scheduled(("THEOREM1", 3.0, 24))], HOLDS, "1.00 … 1.00 of 2 lambda"),
    ("theorem_1", [scheduled(("THEOREM1", 3.0, 25))], FAILS, "1.04 … 1.04 of 2 lambda"),
    # The theorem is about lambda > 1; lg 2 counts as 1.
    ("theorem_1", [scheduled(("THEOREM1", 1.0, 99), ("GREEDY", 9.0, 99))], UNDECIDED, ""),
    ("theorem_1", [scheduled(("THEOREM1", 2.0, 5), wires=[2, 1])], FAILS, "1.25 … 1.25"),
    # ---- Corollary 2: a = 8 / 4 = 2, so 4 lambda
    (
        "corollary_2",
        [scheduled(("COROLLARY2", 2.0, 4), ("COROLLARY2", 3.0, 4), wires=[9, 8, 8, 8, 8])],
        HOLDS,
        "0.33 … 0.50 of 2 a / (a - 1) lambda cycles in 2 schedules, N = 16",
    ),
    ("corollary_2", [scheduled(("COROLLARY2", 2.0, 9), wires=[8] * 5)], FAILS, "1.12 … 1.12 of"),
    ("corollary_2", [scheduled(("THEOREM1", 2.0, 9), wires=[8] * 5)], UNDECIDED, ""),
    # ---- universal capacities: any test may fill the wires
    (
        "universal_capacities",
        [cycles(UNIVERSAL_64), cycles(used=[0, 5, 0, 0, 1]), cycles(used=[7, 0, 3, 2, 0])],
        HOLDS,
        "12 of 12 levels have, and fill, the formula's wires in 2 trees, N = 16, 64; "
        "steps of 1.33 … 2.00",
    ),
    ("universal_capacities", [cycles([7, 5, 4, 2, 1])], FAILS, "4 of 5 levels"),
    ("universal_capacities", [cycles([7, 4, 3, 2, 1])], FAILS, "4 of 5 levels"),
    ("universal_capacities", [cycles(used=[7, 5, 3, 2, 0])], FAILS, "4 of 5 levels"),
    ("universal_capacities", [check()], UNDECIDED, ""),
    # ---- on-line: lambda + lg n lg lg n = 2 + 4 * 2 for 16 processors, 2 + 2 * 1 for 4
    (
        "online_bound",
        [
            scheduled(("RANDOMISED", 2.0, 20), ("RANDOMISED", 2.0, 30), ("BALANCED", 2.0, 999)),
            scheduled(("RANDOMISED", 2.0, 4), wires=[3, 2, 1]),
        ],
        HOLDS,
        "99 % of 3 sets within 1.00 … 3.00 times lambda + lg n lg lg n cycles, by size, N = 4, 16",
    ),
    ("online_bound", [scheduled(("RANDOMISED", 2.0, 10 * ONLINE_CONSTANT))], HOLDS, ""),
    ("online_bound", [scheduled(("RANDOMISED", 2.0, 10 * ONLINE_CONSTANT + 1))], FAILS, ""),
    # One of a hundred may take longer, but not the one of a size of its own.
    (
        "online_bound",
        [scheduled(*[("RANDOMISED", 2.0, 20)] * 99, ("RANDOMISED", 2.0, 999))],
        HOLDS,
        "99 % of 100 sets within 2.00 … 2.00",
    ),
    (
        "online_bound",
        [
            scheduled(*[("RANDOMISED", 2.0, 20)] * 99),
            scheduled(("RANDOMISED", 2.0, 999), wires=[3, 2, 1]),
        ],
        FAILS,
        "within 2.00 … 249.75",
    ),
    ("online_bound", [scheduled(("RETRY", 2.0, 999))], UNDECIDED, ""),
    *switch_claim_cases.CASES,
    *xgft_claim_cases.CASES,
)


@pytest.mark.parametrize(("measure", "tests", "verdict", "text"), CASES)
def test_measures(measure: str, tests: list[r.Test], verdict: str, text: str) -> None:
    measured = MEASURES[measure](tests)
    assert measured.verdict == verdict
    assert text in measured.text
    assert bool(measured.text) == (verdict != UNDECIDED)
    assert len(measured.text) <= 130


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_has_seen_all_verdicts(measure: str) -> None:
    assert {case[2] for case in CASES if case[0] == measure} == {HOLDS, FAILS, UNDECIDED}
    assert MEASURES[measure]([]).verdict == UNDECIDED


@pytest.mark.parametrize("measure", MEASURES)
def test_a_result_without_a_table_says_nothing(measure: str) -> None:
    test = ran("lbbvn", "frame", sent=1, delivered=1)
    assert MEASURES[measure]([test]).verdict == UNDECIDED


def claim(tests: list[r.Test], verdict: str = HOLDS, measure: str = "nothing_lost"):
    return judge("point", "lbbvn", "Lemma 5", "it fits", verdict, measure, tests)


@pytest.mark.parametrize(
    ("planned", "lost", "verdict", "surprise"),
    [
        (HOLDS, 0, HOLDS, False),
        (CORRECTED, 0, CORRECTED, False),
        (FAILS, 0, HOLDS, True),
        (HOLDS, 1, FAILS, True),
        (CORRECTED, 1, FAILS, True),
        (FAILS, 1, FAILS, False),
    ],
)
def test_a_contradiction_is_a_surprise(
    planned: str, lost: int, verdict: str, surprise: bool
) -> None:
    judged = claim([slots(lost=lost)], planned)
    assert (judged.verdict, judged.surprise) == (verdict, surprise)
    assert judged.measured.startswith(f"{lost} of 256 packets lost")
    assert (judged.testpoint, judged.network, judged.source, judged.says) == (
        *("point", "lbbvn", "Lemma 5"),
        "it fits",
    )


@pytest.mark.parametrize("planned", [HOLDS, CORRECTED, FAILS])
def test_failed_tests_decide(planned: str) -> None:
    """Figures of a failed test are worth nothing, not even to a claim that we hold to be false."""
    judged = claim([slots(), slots(), slots(passed=False)], planned)
    assert judged.measured == "1 of 3 tests failed"
    assert judged.verdict == FAILS
    assert judged.surprise


@pytest.mark.parametrize("planned", [HOLDS, CORRECTED, FAILS])
@pytest.mark.parametrize("tests", [[], [check()]])
def test_nothing_measured_is_no_surprise(planned: str, tests: list[r.Test]) -> None:
    judged = claim(tests, planned)
    assert (judged.measured, judged.verdict, judged.surprise) == ("", UNDECIDED, False)
