"""Where counters of events start in simulations: at their end, which no run would come to."""

# All bits are set: what a counter of any width forgets shows at the first event.
FROM_END = {"FROM_END": 1}


def counting(bench: bool) -> dict[str, int]:
    """Parameters of a network that is synthesized: to stand in the bench, or as it is sold."""
    return FROM_END if bench else {}
