"""What figures of SPIN say, in sentences for a person."""

from collections.abc import Iterator

from fattree_bench.bench.links.flit.sentences import arrived, measured
from fattree_bench.bench.result import ScenarioResult


def told(result: ScenarioResult) -> Iterator[str]:
    """Words, shared buffers, ways, damage, reads and writes, measured runs."""
    if result.figure("flits"):
        yield arrived(result)
    if stored := result.figure("stored"):
        yield f"{stored} packets waited in shared buffers"
    if rows := result.rows("levels"):
        up = ", ".join(str(row["parents"]) for row in rows[:-1])
        down = ", ".join(str(row["children"]) for row in rows)
        yield f"to a terminal a router took at most so many parents: {up}; children: {down}"
    if result.figure("damaged"):
        yield (
            f"{result.figure('damaged')} packets were damaged; "
            f"{result.figure('flagged')} parts of packets came flagged, none as if nothing was"
        )
    if result.figure("requests"):
        yield (
            f"{result.figure('requests')} requests, {result.figure('answered')} answered, "
            f"{result.figure('refused')} of them refused; after "
            f"{result.figure('request_latency') or 0:.1f} clocks in the mean; "
            f"{result.figure('answers_overtaken')} answers overtook one of another target"
        )
    if dropped := (result.figure("dropped") or 0) + (result.figure("flagged_answers") or 0):
        yield f"{dropped} damaged requests were dropped, or damaged responses marked as such"
    yield from map(measured, result.measurements)
