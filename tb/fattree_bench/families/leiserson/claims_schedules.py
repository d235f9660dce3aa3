"""Measures of what is remarked of schedules, without theorems of their own."""

from collections.abc import Sequence

from fattree_bench.bench.claims import (
    NOTHING,
    Measured,
    found,
    leaves,
    losses,
    recorded,
    results,
    sizes,
)
from fattree_bench.bench.result import Test
from fattree_bench.families.leiserson.deliveries import deliveries, wires, within
from fattree_bench.words import number, plural


def permutations_in_one_cycle(tests: Sequence[Test]) -> Measured:
    """With w = n any permutation is delivered in one delivery cycle."""
    sets = [s for s in deliveries(tests) if s.family == "permutation"]
    fixed = results(tests, ("bit_permutations",))
    every = recorded(tests, "permutations", "in_one_cycle")
    if not sets or not fixed or not every:
        return NOTHING
    longer = sum(s.cycles > 1 for s in sets)
    total, good = (int(sum(column)) for column in zip(*every, strict=True))
    text = (
        f"{longer} of {plural(len(sets), 'permutation')} took more than a cycle, {losses(fixed)} "
        f"in bit permutations; {number(good)} of {number(total)} in one by the model"
    )
    return found(text, not longer and good == total and all(run.lost == 0 for run in fixed))


def four_lambda(tests: Sequence[Test]) -> Measured:
    """With 2 lg n wires in every channel, at most 4 lambda cycles."""
    sets = [s for s in deliveries(tests) if s.offline and s.factor > 1 and s.narrowest >= 2 * s.lg]
    return within(sets, lambda s: 4 * s.factor, "4 lambda")


def two_parameters(tests: Sequence[Test]) -> Measured:
    """As many processors with roots of several sizes: all deliver, wider ones no slower."""
    runs = results(tests, ("offline",))
    cycles: dict[int, dict[int, list[int]]] = {}
    for run in runs:
        own = cycles.setdefault(leaves(run), {}).setdefault(wires(run)[0], [])
        own += [told["cycles"] for told in run.deliveries if told["family"] == "8-relation"]
    several = {n: roots for n, roots in cycles.items() if len(roots) > 1 and all(roots.values())}
    if not several:
        return NOTHING
    means = {
        n: [sum(own) / len(own) for _, own in sorted(roots.items())] for n, roots in several.items()
    }
    slower = sum(m != sorted(m, reverse=True) for m in means.values())
    text = (
        f"{sum(map(len, several.values()))} trees, {sizes(several)}: {losses(runs)}; "
        f"wider roots slower at {slower} of {plural(len(several), 'size')}"
    )
    return found(text, not slower and all(run.lost == 0 for run in runs))
