"""What measures of turn-back routing must say."""

from fattree_bench.bench.means import SEEDS
from fattree_bench.bench.result import Quantity, Test
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided
from tests.tb.families.xgft.load_claim_cases import carried
from tests.tb.families.xgft.route_claim_cases import level, ran

ALL = 3600


def rates(one: float, two: float, four: float) -> list[Test]:
    found = {"tb-1-60": one, "tb-2-60": two, "tb-4-60": four}
    return [carried(name, uniform=rate) for name, rate in found.items()]


def alone(name: str, longer: int = 0, flits: int = 9, delivered: int = ALL) -> Test:
    rows, own = [level(15, flits_up=flits)], {"leaves": 60, "sent": ALL, "delivered": delivered}
    test = ran(rows, configuration=name, **own)
    assert test.result is not None
    test.result.figures["longer_ways"] = Quantity(longer, "packets")
    return test


def possible(uniform: float, local: float) -> list[Test]:
    """What TBWP accepts; TB accepts 20 and 25 %."""
    found = [carried("tb-1-60", uniform=0.2), carried("possible-1-60", uniform=uniform)]
    for name, rate in (("tb-1-60", 0.25), ("possible-1-60", local)) * SEEDS:
        test = ran([level(15)], "climbing_on", name)
        assert test.result is not None
        test.result.figures["flit_rate"] = Quantity(rate, "flits per leaf and clock")
        found.append(test)
    return found


CASES: Cases = {
    "more_turnback_channels": (
        holds(
            "accepted by turn-back channels 1: 20.0 %, 2: 30.0 %, 4: 31.0 %", *rates(0.2, 0.3, 0.31)
        ),
        fails("4: 30.0 %", *rates(0.2, 0.3, 0.3)),
        undecided(*rates(0.2, 0.3, 0.4)[:2]),
    ),
    "shortest_turns": (
        holds(
            "7\N{NO-BREAK SPACE}200 of 7\N{NO-BREAK SPACE}200 packets arrived, 0 by longer ways",
            alone("tb-1-60"),
            alone("tb-2-60"),
        ),
        fails("1 by longer ways", alone("tb-1-60", longer=1)),
        fails("3\N{NO-BREAK SPACE}599", alone("tb-1-60", delivered=3599)),
        undecided(ran([level(15)], configuration="tb-1-60")),
    ),
    "when_possible": (
        fails("accepted, uniform: TB 20.0 %, TBWP 23.0 % (+15 %)", *possible(0.23, 0.3)),
        corrected("(+20 %), ± 0.0 points; as corrected: acc", *possible(0.2, 0.3)),
        holds("neighbours: TB 25.0 %, TBWP 27.0 % (+8 %)", *possible(0.2, 0.27)),
        undecided(*possible(0.2, 0.3)[:-1]),
        undecided(*possible(0.2, 0.3)[1:]),
    ),
    "vectors_lead": (
        holds(
            "packets arrived, as many flits on the links as with numbers",
            alone("tb-2-60"),
            alone("vector-2-60"),
        ),
        fails("not as many", alone("tb-2-60"), alone("vector-2-60", flits=8)),
        fails("9 of 3", alone("tb-2-60"), alone("vector-2-60", delivered=9)),
        undecided(alone("vector-2-60")),
    ),
}
