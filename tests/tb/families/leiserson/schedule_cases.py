"""Results and numbers about schedules, and what measures must say of them."""

from fattree_bench.bench.result import Test
from tests.tb.families.claim_case import Cases, fails, holds, undecided
from tests.tb.families.leiserson.claim_results import check, cycles, scheduled


def alike(took: int) -> Test:
    return cycles(deliveries=(("COLOURING", 1.0, took),), family="permutation")


def every(good: int) -> Test:
    return check(permutations=24, in_one_cycle=good)


SCHEDULES: Cases = {
    # ---- permutations with w = n
    "permutations_in_one_cycle": (
        holds(
            "0 of 1 permutation took more than a cycle, 0 of 1\N{NO-BREAK SPACE}200 messages lost "
            "in bit permutations; 24 of 24 in one by the model",
            alike(1),
            cycles(scenario="bit_permutations"),
            every(24),
        ),
        fails("1 of 1 permutation took", alike(2), cycles(scenario="bit_permutations"), every(24)),
        fails("2 of 1", alike(1), cycles(scenario="bit_permutations", lost=2), every(24)),
        fails("23 of 24", alike(1), cycles(scenario="bit_permutations"), every(23)),
        undecided(alike(1), every(24)),
    ),
    # ---- 2 lg n = 8 wires everywhere
    "four_lambda": (
        holds(
            "1.00 … 1.00 of 4 lambda cycles in 1 schedule, N = 16",
            scheduled(("COROLLARY2", 2.0, 8), wires=[8] * 5),
            scheduled(("THEOREM1", 2.0, 99)),
        ),
        fails("1.12", scheduled(("COROLLARY2", 2.0, 9), wires=[8] * 5)),
        undecided(scheduled(("COROLLARY2", 2.0, 9), wires=[8, 8, 8, 8, 7])),
    ),
    # ---- processors and, independently, communication
    "two_parameters": (
        holds(
            "2 trees, N = 16: 0 of 2\N{NO-BREAK SPACE}400 messages lost; wider roots slower at 0 "
            "of 1",
            scheduled(("BALANCED", 9.0, 10)),
            scheduled(("GREEDY", 8.0, 8), wires=[16, 8, 4, 2, 1]),
        ),
        fails(
            "wider roots slower at 1 of 1 size",
            scheduled(("BALANCED", 9.0, 10)),
            scheduled(("GREEDY", 8.0, 11), wires=[16, 8, 4, 2, 1]),
        ),
        fails(
            "1 of 2",
            cycles(lost=1, deliveries=(("GREEDY", 9.0, 10),)),
            scheduled(("GREEDY", 8.0, 8), wires=[16, 8, 4, 2, 1]),
        ),
        undecided(scheduled(("BALANCED", 9.0, 10))),
    ),
}
