"""What figures of the bit-serial fat-tree say, in sentences for a person."""

from collections.abc import Iterator

from fattree_bench.bench.result import Record, ScenarioResult
from fattree_bench.words import span


def told(result: ScenarioResult) -> Iterator[str]:
    """Off-line schedules one by one, on-line deliveries by kind of traffic, repetitions."""
    offline = [_offline(one) for one in result.deliveries if one["offline"]]
    yield from dict.fromkeys(offline)
    if kept := result.figure("kept"):
        yield f"{kept} messages stay within their processors: not sent"
    online: dict[str, list[Record]] = {}
    for one in result.deliveries:
        if not one["offline"]:
            online.setdefault(one["family"], []).append(one)
    for family, sets in online.items():
        yield _online(family, sets)
    if (repetitions := result.figure("repetitions") or 0) > 0:
        yield f"{result.figure('attempts')} attempts, {repetitions} of them repetitions"


def _offline(one: Record) -> str:
    bound = "" if one["bound"] is None else f", at most {one['bound']} by its theorem"
    return (
        f"{one['family']}, off-line {one['how']}: {one['messages']} messages, "
        f"load factor {one['load_factor']:.2f}: {one['cycles']} delivery cycles "
        f"(at least {one['least']}{bound})"
    )


def _online(family: str, sets: list[Record]) -> str:
    sizes, cycles, low = (span([s[name] for s in sets]) for name in ("messages", "cycles", "least"))
    factors = span([s["load_factor"] for s in sets], ".2f")
    high = span([s["bound"] for s in sets], ".1f")
    number = "1 set" if len(sets) == 1 else f"{len(sets)} sets"
    return (
        f"{family}, on-line {sets[0]['how']}: {number} of {sizes} messages, "
        f"load factor {factors}: {cycles} delivery cycles "
        f"(at least {low}; load factor + lg n lg lg n = {high})"
    )
