"""What a terminal shows of a result: tables of numbers, and sentences of the family."""

import io
from typing import Any

import pytest
from rich.console import Console

from fattree_bench.bench.result import Column, Quantity, ScenarioResult, Table
from fattree_bench.families import DEFAULT, DESCRIBED, NETWORKS, told
from fattree_bench.sim.console import print_outcome
from fattree_bench.sim.severity import Complaint
from fattree_bench.sim.simulate import Outcome
from fattree_bench.sim.variables import check
from tests.cli import succeeds


def printed(**figures: object) -> list[str]:
    """Lines of a terminal, without blanks at their ends."""
    result = ScenarioResult("frame", sent=16, delivered=16, **figures)
    file = io.StringIO()
    print_outcome(Console(file=file, width=200), check({"N": "4"}), Outcome([result]))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def ended(*results: ScenarioResult, **left: Any) -> list[str]:
    """Lines of a terminal behind tests of a tree."""
    file = io.StringIO()
    outcome = Outcome(list(results), **left)
    print_outcome(Console(file=file, width=200), check({"N": "4"}), outcome)
    return [line.rstrip() for line in file.getvalue().splitlines()]


FAULTS = {"lost": 1}


def test_of_several_failures_one_is_to_be_read_first() -> None:
    """Where packets go one by one, or else with the fewest; of one there is nothing to choose."""
    crowds, few = (
        ScenarioResult(name, FAULTS, sent=sent) for name, sent in (("crowds", 90), ("frame", 8))
    )
    alone = ScenarioResult("single_packets", FAULTS, sent=20)
    begin = [ended(*of)[-2] for of in ([crowds, few, alone], [crowds, few])]
    assert begin == [
        "begin with single_packets: 20 packets, one by one",
        "begin with frame: 8 packets, the fewest of the tests that failed",
    ]
    assert not [line for line in ended(crowds) if "begin with" in line]


def test_what_a_stop_left_out_is_counted_and_another_test_named() -> None:
    """Two simulations were stopped; only what stood behind the first was not run."""
    stopped = [ScenarioResult(name, sent=0) for name in ("frame", "classic")]
    names = ["frame", "rotators", "crowds", "classic"]
    check_in_design = Complaint("a rule", "top", 5)
    lines = ended(stopped=stopped, unfinished=names, complaints=[check_in_design])
    assert "not run, as the simulation had ended: rotators, crowds" in lines
    assert lines[-2].startswith("to see packets go one by one: make sim NETWORK=lbbvn N=4 FORM=F")
    assert lines[-1].startswith("FAIL  0 of 4 tests passed on verilator, 2 not run, seed 1")


COMMANDS = ("  replay: ", "  show: ", "waves: ", "written: ")  # to be copied: never broken


def too_wide(text: str, width: int) -> list[str]:
    """Lines wider than a terminal, but for commands and the verdict with its path."""
    lines = text.rstrip().splitlines()[:-1]
    return [line for line in lines if len(line) > width and not line.startswith(COMMANDS)]


@pytest.mark.parametrize("width", [80, 100, 200])
@pytest.mark.parametrize("verbose", ["0", "1"])
def test_lines_fit_the_terminal(width: int, verbose: str) -> None:
    """Long sentences wrap, titles of tables too; nothing is cut off."""
    table = {
        f"c{k}": Column("flits", [10**6 + k, 7], f"flits of all links of level {k}")
        for k in range(6)
    }
    groups = {f"a cover group with a long name, number {k}": (k, 40) for k in range(1, 30)}
    promises = [f"a promise of many words, number {k}" for k in range(9)]
    result = ScenarioResult(
        "frame", FAULTS, {"lost": ["a long example " * 20]}, sent=16, tables={"levels": table}
    )
    result.coverage, result.promises = groups, promises
    file = io.StringIO()
    variables = check({"N": "4", "VERBOSE": verbose})
    print_outcome(Console(file=file, width=width), variables, Outcome([result]))
    text = file.getvalue()
    assert not too_wide(text, width)
    assert "\x1b" not in text
    assert all(str(10**6 + k) in text for k in range(6))
    assert " ".join(text.split()).count("a promise of many words") == 9
    listed = " ".join(text.split()).count("a cover group with a long name")
    assert listed == (29 if verbose == "1" else 3)
    assert too_wide("x" * (width + 1) + "\nPASS", width)  # the measure itself


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    "network",
    [
        pytest.param(name, marks=() if name == DEFAULT else (pytest.mark.nightly,))
        for name in NETWORKS
        if name != DESCRIBED
    ],
)
def test_every_network_fits_a_narrow_terminal(network: str, tb_cli: Any) -> None:
    """Piped and without colours, with all that a family says of its smallest network."""
    small = {**NETWORKS[network].about.small, "SIM": "icarus", "NETWORK": network}
    text = succeeds(tb_cli("sim", *(f"{k}={x}" for k, x in small.items()), env={"COLUMNS": "80"}))
    assert not too_wide(text, 80)
    assert "\x1b" not in text
    assert text.splitlines()[-1].startswith("PASS  1 of 1 tests passed on icarus")


def test_a_line_for_each_test_that_passed_and_all_of_a_failure() -> None:
    """Several tests: a table of verdicts first, then failures in full."""
    good = ScenarioResult("frame", sent=16, delivered=16, accounts={"delivered": 16})
    bad = ScenarioResult("crowds", FAULTS, sent=9, accounts={"delivered": 8, "lost": 1})
    lines = ended(good, bad)
    at = lines.index("      test    packets sent  delivered  lost  faults     time")
    assert lines[at + 1 : at + 3] == [
        "PASS  frame             16         16     0       0  0 slots",
        "FAIL  crowds             9          8     1       1  0 slots",
    ]
    assert [line for line in lines if line.startswith("  packets: ")] == [
        "  packets: 9 sent, 8 delivered, 1 lost (1 UNEXPLAINED), 0 corrupted, 0 duplicated, 0 "
        "reordered"
    ]


TABLE: Table = {
    "level": Column("level", [1, 2, None], "level", none="leaf"),
    "lanes": Column("lanes per channel", [None, 3, 1], "lanes", none="wires"),
    "packets_least": Column("packets per link", [3, 4, None], "packets a link"),
    "packets_most": Column("packets per link", [5, 4, None], "packets a link"),
    "links": Column("links", [7, 7, 7]),  # without a title
    "switches": Column("switches", [9, 9, 9], "switches", detail=True),
}


def test_a_table_of_numbers() -> None:
    """Least and greatest share a column; None has its word; what has no title is not shown."""
    lines = printed(tables={"levels": TABLE})
    at = lines.index("  level  lanes  packets a link")
    assert lines[at + 1 : at + 4] == [
        "      1  wires           3 … 5",
        "      2      3               4",
        "   leaf      1",
    ]


def test_what_was_lost_and_why() -> None:
    """By what was seen of each: it adds up to what was sent."""
    seen = {"delivered": 10, "in conflicts": 3, "lost": 2, "misdelivered": 1}
    losses = {"in conflicts": 4, "in a reset": 0}  # one was delivered though to be lost
    lines = printed(losses=losses, accounts=seen, faults={"lost": 2, "misdelivered": 1})
    (line,) = (line for line in lines if "sent" in line)
    told = "5 lost (3 in conflicts, as predicted, 2 UNEXPLAINED), 1 at a wrong place, 0 corrupted"
    assert f"16 sent, 10 delivered, {told}" in line


def of(**values: float) -> dict[str, Quantity]:
    return {name: Quantity(value, "") for name, value in values.items()}


DELIVERY = {
    "family": "8-relation",
    "how": "THEOREM1",
    "offline": True,
    "messages": 32,
    "load_factor": 2.5,
    "cycles": 4,
    "least": 3,
    "bound": 10,
}
RETRY = {**DELIVERY, "how": "RETRY", "offline": False, "bound": 6.5}


@pytest.mark.parametrize(
    ("network", "figures", "deliveries", "lines"),
    [
        ("lbbvn", of(leaves=4), [], []),
        (
            "kary",
            of(flits=20, flit_rate=0.1234, flit_hops=60, replies=3, on_their_way=1),
            [],
            [
                "20 flits arrived, 0.123 per leaf and clock; 60 flit-hops",
                "3 requests answered",
                "1 packets were on their way when their item ended",
            ],
        ),
        (
            "lbbvn_switch",
            of(leaves=4, inside=2, most_resequenced=0, skipped=0),
            [],
            [
                "2 cells wait in vain for a frame at the end",
                "at most 0 cells in a resequencer (bound N² + 1 = 17)",
            ],
        ),
        ("lbbvn_switch", of(leaves=4, fakes=0), [], ["0 fake cells"]),
        ("lbbvn_switch", of(leaves=4, tries=2, refused=5), [], ["5 offers refused"]),
        (
            "leiserson",
            of(kept=4, attempts=40, repetitions=8),
            [DELIVERY, RETRY, DELIVERY, {**RETRY, "cycles": 6, "load_factor": 3.0}],
            [
                "8-relation, off-line THEOREM1: 32 messages, load factor 2.50: 4 delivery cycles "
                "(at least 3, at most 10 by its theorem)",
                "4 messages stay within their processors: not sent",
                "8-relation, on-line RETRY: 2 sets of 32 messages, load factor 2.50 … 3.00: 4 … 6 "
                "delivery cycles (at least 3; load factor + lg n lg lg n = 6.5)",
                "40 attempts, 8 of them repetitions",
            ],
        ),
        ("leiserson", of(kept=0, attempts=32, repetitions=0), [], []),
    ],
)
def test_sentences_of_a_family(network, figures, deliveries, lines) -> None:
    assert told(network, ScenarioResult("x", figures=figures, deliveries=deliveries)) == lines


NAN = float("nan")
RATES = {"family": "bitrev, load 1", "offered": 1.0, "accepted": 0.25, "accepted_minimum": 0.125}
TIMES = {"latency_mean": 20.0, "latency_p99": 31.0, "zero_load": 15.0, "network_latency_mean": 19.0}
STATE = {"hops": 2.5, "saturation": "latency", "stable": False}


@pytest.mark.parametrize(
    ("measured", "line"),
    [
        (
            {**RATES, **TIMES, **STATE, "tagged": 9, "missing": 1},
            "bitrev, load 1: offered 1.000, accepted 0.250 flits per sending leaf and clock (least "
            "at a leaf 0.125); latency 20.0 (99 % within 31, without load 15.0), in the network "
            "19.0 clocks; 2.50 switches; 1 of 9 packets created then came too late; saturated "
            "(latency)",
        ),
        (
            {**RATES, **dict.fromkeys(TIMES, NAN), **STATE, "tagged": 9, "missing": 9, "hops": NAN},
            "bitrev, load 1: offered 1.000, accepted 0.250 flits per sending leaf and clock (least "
            "at a leaf 0.125); all packets created then came too late; saturated (latency)",
        ),
        (
            {
                **dict.fromkeys((*RATES, *TIMES, *STATE), NAN),
                **{"family": "x", "offered": 0.0, "accepted": 0.0, "saturation": ""},
                **{"stable": False, "tagged": 0, "missing": 0},
            },
            "x: offered 0.000, accepted 0.000 flits per sending leaf and clock (least at a leaf "
            "–); all packets created then came too late; not yet steady",
        ),
    ],
    ids=["all", "nothing-arrived", "nothing-sent"],
)
def test_no_nan_before_a_user(measured, line) -> None:
    figures = of(flits=20, flit_rate=0.1234, flit_hops=60)
    _, found = told("kary", ScenarioResult("x", figures=figures, measurements=[measured]))
    assert found == line
