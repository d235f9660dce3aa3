"""What figures of packet-switched fat-trees say, in sentences for a person."""

from collections.abc import Iterator

from fattree_bench.bench.links.flit.sentences import arrived, measured
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.words import plural


def told(result: ScenarioResult) -> Iterator[str]:
    """Flits, replies, packets that did not arrive in time, measured runs."""
    yield f"{arrived(result)}; {result.figure('flit_hops')} flit-hops"
    if replies := result.figure("replies"):
        yield f"{replies} requests answered"
    if dead := result.figure("dead"):
        cut, up_down = result.figure("cut"), result.figure("cut_up_down")
        yield (
            f"{plural(int(dead), 'dead cable')}; of the pairs of leaves {cut} are cut for good, "
            f"{up_down} more cut for up-down ways"
        )
    if longer := result.figure("longer_ways"):
        yield f"{longer} packets took longer ways than the shortest"
    if late := result.figure("on_their_way"):
        yield f"{late} packets were on their way when their item ended"
    yield from map(measured, result.measurements)
