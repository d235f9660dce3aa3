"""Schedules by brute force: paths channel by channel, every cycle tried for every message."""

# Schedulers that take any capacities.
EVERYWHERE = ("THEOREM1", "PER_LEVEL", "GREEDY", "ITERATED", "BALANCED")


def chain(place, n):
    """Channels from a processor up to the outside; none for the outside itself."""
    v = n + place if place < n else 0
    while v:
        yield v
        v //= 2


def path(source, target, n):
    """Return the channels that a message uses, as (way, heap index)."""
    up, down = list(chain(source, n)), list(chain(target, n))
    return [(0, v) for v in up if v not in down] + [(1, v) for v in down if v not in up]


def fewest_cycles(src, dst, cap):
    """Return the length of the shortest schedule, by exhaustive search."""
    n = 2 ** (len(cap) - 1)
    paths = [path(s, t, n) for s, t in zip(src.tolist(), dst.tolist(), strict=True)]

    def place(m, cycles):
        if m == len(paths):
            return True
        for cycle in cycles:
            if all(cycle.get((w, v), 0) < cap[v.bit_length() - 1] for w, v in paths[m]):
                for channel in paths[m]:
                    cycle[channel] = cycle.get(channel, 0) + 1
                if place(m + 1, cycles):
                    return True
                for channel in paths[m]:
                    cycle[channel] -= 1
            if not any(cycle.values()):
                break  # all other empty cycles are the same
        return False

    d = 0
    while not place(0, [{} for _ in range(d)]):
        d += 1
    return d
