"""Measures of routes in RTL: where packets turn, whom links serve, how long that takes."""

from collections.abc import Sequence

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found
from fattree_bench.bench.result import Test
from fattree_bench.bench.wormhole.claims import results
from fattree_bench.families.xgft.claims.loads import even_links
from fattree_bench.words import number, span

DRAWN = (  # leaves, and switches of the levels
    {"fig-6a": (4, [1]), "fig-6b": (16, [4, 2]), "xgft-48": (48, [12, 6, 4])},
    {
        **{"plain-36": (36, [6, 4]), "optimised-36": (36, [12, 3])},
        **{"plain-60": (60, [15, 10, 4]), "optimised-60": (60, [20, 30, 6])},
        "parents-60": (60, [60, 30, 20, 8]),  # with two parents a leaf is also a switch
    },
)
TOP = "fig-4"


def trees_as_drawn(tests: Sequence[Test]) -> Measured:
    """Trees have the leaves and switches of a figure, and deliver what is sent one by one."""
    own: dict[str, tuple[int, list[int]]] = {}
    good = True
    for test, result in results(tests, "single_packets", "sweep"):
        switches = [int(row["switches"] or 0) for row in result.rows("levels")]
        own[test.configuration] = int(result.figure("leaves") or 0), switches
        good = good and (result.scenario == "sweep" or result.sent == result.delivered)
    wanted = next((drawn for drawn in DRAWN if set(own) == set(drawn)), None)
    if wanted is None or not all(switches for _, switches in own.values()):
        return NOTHING
    text = "; ".join(f"{n}: {' + '.join(map(str, switches))}" for n, switches in own.values())
    return found(f"switches by leaves: {text}", good and own == wanted)


def any_even_radix(tests: Sequence[Test]) -> Measured:
    """m is a power of 2; as corrected: any even m makes a tree that delivers evenly."""
    even = even_links(tests).printed
    runs = [result for _, result in results(tests, "single_packets")]
    if even.holds is None:
        return NOTHING
    lowest = [run.rows("levels")[0] for run in runs]
    ports = {
        int(((row["links_up"] or 0) + (row["links_down"] or 0)) // (row["switches"] or 1))
        for row in lowest
    }
    sent, arrived = sum(run.sent for run in runs), sum(run.delivered for run in runs)
    return Measured(
        Figure(f"m = {span(ports)}", all(m.bit_count() == 1 for m in ports)),
        Figure(
            f"{number(arrived)} of {number(sent)} pairs arrived, the links of each level "
            f"{'have equal loads' if even.holds else 'differ'}",
            even.holds and arrived == sent,
        ),
    )


def adaptive_up(tests: Sequence[Test]) -> Measured:
    """A link up carries packets for more leaves than D-mod-k leads over it, one down for one."""
    told, good = [], True
    for _, result in results(tests, "uniform"):
        rows = result.rows("levels")
        if not rows:
            return NOTHING
        lowest = rows[0]
        leaves, switches = int(lowest["links_down"] or 0), int(lowest["switches"] or 1)
        elsewhere = leaves - leaves // switches
        fixed = elsewhere * switches // int(lowest["links_up"] or 1)
        least = int(lowest["destinations_up_least"] or 0)
        alone = int(lowest["links_down_to_one"] or 0)
        told.append(
            f"a link up leads to {least} or more of {elsewhere} leaves elsewhere ({fixed} under "
            f"D-mod-k), {alone} of {leaves} down to one"
        )
        good = good and least > fixed and alone == leaves
    return found("; ".join(dict.fromkeys(told)), good) if told else NOTHING
