"""What measures of turn-back routing must say."""

from fattree_bench.bench.claims import CORRECTED, FAILS, HOLDS, UNDECIDED
from fattree_bench.bench.result import Quantity, Test
from tests.tb.families.xgft.load_claim_cases import carried
from tests.tb.families.xgft.model_claim_cases import Case
from tests.tb.families.xgft.route_claim_cases import level, ran

ALL = 3600


def rates(one: float, two: float, four: float) -> list[Test]:
    found = {"turnback-1-60": one, "turnback-2-60": two, "turnback-4-60": four}
    return [carried(name, uniform=rate) for name, rate in found.items()]


def alone(name: str, longer: int = 0, flits: int = 9, delivered: int = ALL) -> Test:
    test = ran([level(15, flits_up=flits)], configuration=name, sent=ALL, delivered=delivered)
    assert test.result is not None
    test.result.figures["longer_ways"] = Quantity(longer, "packets")
    return test


TB = [carried("turnback-1-60", uniform=0.2, bitcomp=0.2), carried("turnback-2-60", uniform=0.4)]


def possible(one: float, two: float = 0.4, bitcomp: float = 0.2) -> list[Test]:
    more = carried("possible-1-60", uniform=one, bitcomp=bitcomp)
    return [*TB, more, carried("possible-2-60", uniform=two)]


CASES: tuple[Case, ...] = (
    (
        "more_turnback_channels",
        rates(0.2, 0.3, 0.31),
        HOLDS,
        "accepted by turn-back channels 1: 20.0 %, 2: 30.0 %, 4: 31.0 %",
    ),
    ("more_turnback_channels", rates(0.2, 0.3, 0.3), FAILS, "4: 30.0 %"),
    ("more_turnback_channels", rates(0.2, 0.3, 0.4)[:2], UNDECIDED, ""),
    (
        "shortest_turns",
        [alone("turnback-1-60"), alone("turnback-2-60")],
        HOLDS,
        "7\N{NO-BREAK SPACE}200 of 7\N{NO-BREAK SPACE}200 packets arrived, 0 by longer ways",
    ),
    ("shortest_turns", [alone("turnback-1-60", longer=1)], FAILS, "1 by longer ways"),
    ("shortest_turns", [alone("turnback-1-60", delivered=3599)], FAILS, "3\N{NO-BREAK SPACE}599"),
    ("shortest_turns", [alone("vector-2-60")], UNDECIDED, ""),
    ("shortest_turns", [ran([level(15)], configuration="turnback-1-60")], UNDECIDED, ""),
    ("when_possible", possible(0.23), HOLDS, "uniform, 1 and 2 channels: +15 %, +0 %"),
    (
        "when_possible",
        possible(0.21),
        CORRECTED,
        "+5 %, +0 %; as corrected: least of 3 pairs: +0 %",
    ),
    ("when_possible", possible(0.21, bitcomp=0.18), FAILS, "least of 3 pairs: -10 %"),
    ("when_possible", possible(0.21, two=0.37), FAILS, "-8 %"),
    ("when_possible", TB, UNDECIDED, ""),
    (
        "vectors_lead",
        [alone("turnback-2-60"), alone("vector-2-60")],
        HOLDS,
        "packets arrived, as many flits on the links as with numbers",
    ),
    ("vectors_lead", [alone("turnback-2-60"), alone("vector-2-60", flits=8)], FAILS, "not as many"),
    ("vectors_lead", [alone("turnback-2-60"), alone("vector-2-60", delivered=9)], FAILS, "9 of 3"),
    ("vectors_lead", [alone("vector-2-60")], UNDECIDED, ""),
)
