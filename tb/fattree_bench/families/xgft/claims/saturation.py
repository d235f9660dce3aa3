"""Measures of what trees carry at full load, and whether in order."""

from collections.abc import Sequence
from itertools import pairwise

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found
from fattree_bench.bench.means import Mean, shares, spread
from fattree_bench.bench.result import Test
from fattree_bench.bench.wormhole.claims import accepted, accepted_by, results
from fattree_bench.words import number

# Saturation of the 4-ary 4-tree, flits per leaf and clock, by virtual channels (Petrini and
# Vanneschi), from … to.
SATURATION = {1: (0.35, 0.40), 2: (0.55, 0.60), 4: (0.75, 0.75)}
ADAPTIVE = {"one-vc-256": 1, "two-vcs-256": 2, "four-vcs-256": 4}  # virtual channels
COMPLEMENT = 0.97
TOLERANCE = 0.10  # of a trend
ALIKE = 0.15  # part by which two routings may differ and still be called as good
PATTERNS = ("uniform", "bitrev", "transpose", "bitcomp")
EASY = ("uniform", "bitcomp")  # where D-mod-k spreads packets evenly
FIXED, FREE = "deterministic-64", "adaptive-64"
QUEUED, FREE_QUEUED = "in-order-64", "adaptive-one-vc-64"  # with one virtual channel
HELPS = 1.5  # times as much
BAD = 0.6  # of what is usual
QUEUES = 0.58  # of its ports: 2 - sqrt(2) of a large switch with a queue at each input (Karol)


def virtual_channels_help(tests: Sequence[Test]) -> Measured:
    """Saturation under uniform traffic grows with the virtual channels; published: how far."""
    own = accepted_by(tests, "uniform", ADAPTIVE)
    if not own:
        return NOTHING
    near = all(
        low - TOLERANCE <= own[vcs].low and own[vcs].high <= high + TOLERANCE
        for vcs, (low, high) in SATURATION.items()
    )
    grows = all(less.high < more.low for less, more in pairwise(own.values()))
    published = ", ".join(f"{vcs}: {100 * high:.0f} %" for vcs, (_, high) in SATURATION.items())
    more = f"{'more' if grows else 'not more'} with more channels"
    return Measured(
        Figure(f"accepted by virtual channels {shares(own)}; published {published}", near),
        Figure(more, grows),
    )


def complement_full(tests: Sequence[Test]) -> Measured:
    """Adaptive routing carries complement traffic at nearly full rate."""
    own = accepted_by(tests, "bitcomp", ADAPTIVE)
    if not own:
        return NOTHING
    good = all(rate.low > COMPLEMENT - TOLERANCE for rate in own.values())
    return found(f"accepted by virtual channels {shares(own)}", good)


def complement_apart(tests: Sequence[Test]) -> Measured:
    """Over routes that do not meet complement traffic goes at nearly full rate."""
    rates = accepted(tests, "bitcomp")
    if not rates:
        return NOTHING
    least = min(rates.values())
    good = all(rate.low > COMPLEMENT - TOLERANCE for rate in rates.values())
    return found(f"accepted: {100 * least:.0f} %, {spread(rates.values())}", good)


def _by_pattern(tests: Sequence[Test], *names: str) -> dict[str, tuple[Mean, ...]]:
    """Accepted rates of configurations by pattern; nothing if one is missing."""
    rates = {pattern: accepted(tests, pattern) for pattern in PATTERNS}
    if not all(set(names) <= set(own) for own in rates.values()):
        return {}
    return {pattern: tuple(own[name] for name in names) for pattern, own in rates.items()}


def _overtaken(tests: Sequence[Test], name: str) -> tuple[int, int]:
    """Packets of a configuration that a later one of their pair overtook, and all."""
    own = [result for test, result in results(tests, "saturation") if test.configuration == name]
    return sum(result.overtaken for result in own), sum(result.delivered for result in own)


def routings_alike(tests: Sequence[Test]) -> Measured:
    """Balanced deterministic routing accepts about as much as adaptive routing, in order.

    Corrected: of traffic that D-mod-k spreads evenly, and with one virtual channel.
    """
    rates = _by_pattern(tests, FIXED, FREE, QUEUED, FREE_QUEUED)
    if not rates:
        return NOTHING
    text = ", ".join(
        f"{pattern} {100 * fixed:.0f}/{100 * free:.0f} %"
        for pattern, (fixed, free, *_) in rates.items()
    )
    late, of = _overtaken(tests, FIXED)
    good = all(fixed.low >= (1 - ALIKE) * free.high for fixed, free, *_ in rates.values())
    queued = {pattern: rates[pattern][2:] for pattern in EASY}
    told = ", ".join(f"{p} {100 * own:.0f}/{100 * free:.0f} %" for p, (own, free) in queued.items())
    same = all(own.low >= (1 - ALIKE) * free.high for own, free in queued.values())
    told = f"{told}, {spread(own for of in rates.values() for own in of)}"
    behind, _ = _overtaken(tests, QUEUED)
    return Measured(
        Figure(f"{text}; {number(late)} of {number(of)} overtaken", good and not late),
        Figure(f"{told}; {number(behind)} overtaken", same and not behind),
    )


def uniform_says_little(tests: Sequence[Test]) -> Measured:
    """A routing as good as another under uniform traffic is far worse under another kind."""
    rates = _by_pattern(tests, FIXED, FREE)
    if not rates:
        return NOTHING
    fixed, free = rates["uniform"]
    worst = min(rates, key=lambda pattern: rates[pattern][0])
    own, other = rates[worst]
    text = (
        f"D-mod-k/adaptive: uniform {100 * fixed:.0f}/{100 * free:.0f} %, {worst} "
        f"{100 * own:.0f}/{100 * other:.0f} %, {spread((fixed, free, own, other))}"
    )
    far = own.high < BAD * min(fixed.low, other.low)
    return found(text, fixed.low >= (1 - ALIKE) * free.high and far)


def oversubscribed(tests: Sequence[Test]) -> Measured:
    """Static routes put several packets of a permutation on a link."""
    loads = [load for _, result in results(tests, "link_loads") for load in result.permutations]
    if not loads:
        return NOTHING
    name, most = max(loads, key=lambda load: load[1])
    text = f"one packet from and to each leaf: {most} on a link under {name}"
    return found(text, most > 1)


def adaptive_helps(tests: Sequence[Test]) -> Measured:
    """Where static routes meet, adaptive routing carries more."""
    rates = _by_pattern(tests, FIXED, FREE)
    if not rates:
        return NOTHING
    hard = {pattern: rates[pattern] for pattern in ("bitrev", "transpose")}
    told = [f"{p} {100 * fixed:.0f} to {100 * free:.0f} %" for p, (fixed, free) in hard.items()]
    text = ", ".join([*told, spread(own for of in hard.values() for own in of)])
    return found(text, all(free.low > HELPS * fixed.high for fixed, free in hard.values()))


def _spanning_tree(tests: Sequence[Test], pattern: str) -> tuple[Mean, Mean, int, int] | None:
    """What leaves accept in a spanning tree and in the fat-tree, leaves, ports of the root."""
    rates = accepted(tests, pattern)
    rows = [
        row
        for t, r in results(tests, "saturation")
        for row in r.rows("levels")
        if t.configuration == "spanning-64"
    ]
    if not {"spanning-64", FIXED} <= set(rates) or not rows:
        return None
    leaves = max(int(row["links_down"] or 0) for row in rows)
    ports = int(max(rows, key=lambda row: row["level"] or 0)["links_down"] or 0)
    return rates["spanning-64"], rates[FIXED], leaves, ports


def spanning_tree(tests: Sequence[Test]) -> Measured:
    """All that crosses goes through the root's ports in a spanning tree, and apart in a fat-tree.

    N ports carry N links' worth, M leaves M links' worth.
    """
    own = _spanning_tree(tests, "bitcomp")
    if own is None:
        return NOTHING
    thin, wide, leaves, ports = own
    tree, fat = thin * leaves, wide * leaves
    text = (
        f"{tree:.1f} links' worth through {ports} ports of the root, {fat:.1f} of {leaves} in the "
        f"fat-tree, {spread((thin, wide))}"
    )
    near = all(
        (1 - TOLERANCE) * size <= rate.low * leaves and rate * leaves <= size
        for rate, size in ((thin, ports), (wide, leaves))
    )
    return found(text, near)


def root_is_the_bottleneck(tests: Sequence[Test]) -> Measured:
    """Uniform traffic is held up by the root's links where they are as few as a switch's.

    Each of them carries what its subtree's leaves get from the others: at most a flit a clock, and
    at least what a switch with a queue at each input lets through.  The fat-tree carries more.
    """
    own = _spanning_tree(tests, "uniform")
    if own is None:
        return NOTHING
    thin, wide, n, ports = own
    below = n / ports
    bound = (n - 1) / (n - below) / below
    tree, fat = thin / bound, wide / bound
    text = (
        f"uniform traffic: {tree:.2f} of what {ports} ports of the root can carry, "
        f"{fat:.1f} times as much in the fat-tree, N = {n}, {spread((thin, wide))}"
    )
    return found(text, thin.low / bound >= QUEUES and tree <= 1 < wide.low / bound)
