"""Results of a drawing and of what it folds to, and what the measure must say of them."""

from dataclasses import replace
from typing import Any

from fattree_bench.bench.result import Test
from tests.tb.families.claim_case import Cases, fails, holds, undecided
from tests.tb.families.xgft.route_claim_cases import level, ran


def run(configuration: str, scenario: str = "uniform", seed: int = 1, **has: Any) -> Test:
    made = ran([level(4, flits_up=has.pop("flits_up", 9))], scenario, configuration, **has)
    return replace(made, seed=seed)


FOLDED = [run("benes-8"), run("benes-8", "hot_spot"), run("benes-8", seed=2, delivered=15)]
DRAWN = [run("benes-8-drawn"), run("benes-8-drawn", "hot_spot")]

CASES: Cases = {
    "drawn_as_folded": (
        holds(
            "3 of 3 runs alike in all their figures",
            *FOLDED,
            *DRAWN,
            run("benes-8-drawn", seed=2, delivered=15),
        ),
        holds("2 of 2 runs alike", *FOLDED, *DRAWN),
        *(
            fails("1 of 2", *FOLDED, *DRAWN[1:], run("benes-8-drawn", **wrong))
            for wrong in ({"delivered": 15}, {"steps": 9}, {"flits_up": 8}, {"overtaken": 1})
        ),
        undecided(*FOLDED),
        undecided(*DRAWN),
    )
}
