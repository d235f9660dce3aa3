"""Measures of what is remarked of schedules, without theorems of their own."""

import math
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

PORTS = 6  # delivery cycles a lambda: 2 a / (a - 1) of Corollary 2 for a = 1.5, the least a here
BELOW = 0.5  # of the others' load at the top, that local traffic leaves


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


def offline_bound(tests: Sequence[Test]) -> Measured:
    """Off-line, lambda + lg n lg lg n cycles always do; by the default scheduler."""
    sets = [s for s in deliveries(tests) if s.how == "BALANCED"]
    return within(
        sets, lambda s: s.factor + s.lg * max(1.0, math.log2(s.lg)), "lambda + lg n lg lg n"
    )


def lg_n_ports(tests: Sequence[Test]) -> Measured:
    """Processors and channels with lg n wires and more: O(lambda) cycles, whatever n."""
    sets = [s for s in deliveries(tests) if s.offline and s.factor > 1 and s.narrowest > s.lg]
    if len({s.leaves for s in sets}) < 2:
        return NOTHING
    shares = [s.cycles / math.ceil(s.factor) for s in sets]
    text = (
        f"{min(shares):.2f} … {max(shares):.2f} ⌈lambda⌉ cycles in "
        f"{plural(len(sets), 'schedule')}, {sizes(s.leaves for s in sets)}"
    )
    return found(text, max(shares) <= PORTS)


def local_stays_below(tests: Sequence[Test]) -> Measured:
    """Local messages load the channels at the top less than others do, as many in all."""
    loads: dict[str, list[float]] = {"local": [], "k_relation": []}
    runs = [run for run in results(tests, tuple(loads)) if leaves(run) >= 8]
    for run in runs:
        most = max(told["messages"] for told in run.deliveries)
        (top,) = [row for row in run.rows("levels") if row["level"] == 1]
        loads[run.scenario].append((top["load_up"] or 0) / most)
    local, other = loads["local"], loads["k_relation"]
    if not local or not other:
        return NOTHING
    share = sum(local) / len(local) / (sum(other) / len(other))
    text = (
        f"most messages through a channel below the root: {share:.2f} of those of as many at "
        f"random, {plural(len(runs), 'run')}, {sizes(map(leaves, runs))}"
    )
    return found(text, share <= BELOW)


def capacities_are_robust(tests: Sequence[Test]) -> Measured:
    """A wire more or less changes the cycles by no more than the wires, and by one cycle."""
    changes = [
        (max(old, new) / min(old, new), usual, cycles)
        for old, new, usual, cycles in recorded(
            tests, "wires", "wires_changed", "cycles", "cycles_changed"
        )
    ]
    runs = len(changes)
    done: dict[tuple[str, int, str], dict[tuple[int, ...], int]] = {}
    for test in tests:
        for one in deliveries([test]):
            if one.offline:
                done.setdefault((test.sim, test.seed, one.family), {})[one.wires] = one.cycles
    for own in done.values():
        for wide, narrow in ((a, b) for a in own for b in own if a < b):
            factor = max(max(x, y) / min(x, y) for x, y in zip(wide, narrow, strict=True))
            changes.append((factor, own[wide], own[narrow]))
    if not runs or len(changes) == runs:
        return NOTHING
    beyond = sum(max(a, b) > factor * min(a, b) + 1 for factor, a, b in changes)
    most = max(max(a, b) / min(a, b) for _, a, b in changes[:runs])
    text = (
        f"{beyond} of {plural(len(changes), 'change')} cost more than in proportion; a wire of one "
        f"level of 256 processors: {most:.2f} times the cycles at most"
    )
    return found(text, not beyond)


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
