"""What the schemes are tried with: legal schedules, traffic, switches that drop nothing."""

from dataclasses import replace

import numpy as np

from fattree_models.lbbvn_switch import arrivals, defaults
from fattree_models.traffic import injection, lengths, pattern

LEGAL = {
    "BASIC": ("BITREV", "ROTATOR", "TDM", "XOR", "SAME"),
    "UFS": ("BITREV", "ROTATOR", "TDM"),
    "FOFF": ("BITREV", "ROTATOR", "TDM"),
    "PADDED": ("BITREV", "ROTATOR", "TDM"),
    "MAILBOX": ("BITREV", "ROTATOR", "TDM", "XOR"),
}


def packets_of(load, slots, nodes=8, to="uniform:self", kind="bernoulli", seed=1):
    """Packets of one cell."""
    rng = np.random.default_rng(seed)
    return injection(kind)(rng, pattern(to, nodes), lengths("1"), load, slots)


def traffic(load, slots, nodes=8, to="uniform:self", kind="bernoulli", seed=1):
    """The same as arrivals."""
    return arrivals(packets_of(load, slots, nodes, to, kind, seed), nodes, slots)


def changing(rng, nodes, slots):
    """Arrivals whose kind and load change all the time, overload included."""
    parts, left = [], slots
    while left > 0:
        length = min(left, int(rng.integers(1, 20 * nodes)))
        dst = rng.integers(0, nodes, size=(length, nodes), dtype=np.int32)
        kind = rng.integers(4)
        if kind == 0:
            dst[:] = dst[0]
        elif kind == 1:
            dst[:] = dst[0, 0]
        elif kind == 2:
            dst[rng.random(dst.shape) < 0.7] = 0
        load = rng.choice([0.05, 0.2, 0.5, 0.9, 1.0], size=nodes)
        dst[rng.random(dst.shape) >= load] = -1
        parts.append(dst)
        left -= length
    return np.concatenate(parts)


def roomy(n, scheme, schedule="BITREV", unchecked=False):
    """A switch that drops nothing in a few thousand slots."""
    return replace(
        defaults(n, scheme), schedule=schedule, ingress=4000, middle=4000, unchecked=unchecked
    )


def growth(departures):
    """Cells a slot by which the backlog grows, from the second quarter to the last one."""
    quarter = departures.backlog.size // 4
    early, late = departures.backlog[quarter : 2 * quarter], departures.backlog[3 * quarter :]
    return float(late.mean() - early.mean()) / (2 * quarter)
