"""The fat-tree Benes network as IBM's slides print it: the shuffles, and the code to the letter."""

import numpy as np


def benes_shuffle(ports, levels, stage, port):
    """The left port of stage + 1 to which right ports of a stage are wired."""
    half, last = ports // 2, 2 * levels - 3
    left = stage <= last // 2
    x, y = half ** (levels - (stage if left else last - stage)), half
    i = port % x
    inverse_perfect_shuffle, perfect_shuffle = i // y + i * (x // y), y * i + i // (x // y)
    return port // x * x + (inverse_perfect_shuffle if left else perfect_shuffle) % x


def routing_lookup_with_term(ports, levels, stage, switch, node, capital=False):
    """The code with its last term, but `S >= S/2` read as `s >= S/2`.

    By integer division (m % d) (N / (2 d)) is 0 but for L = 2, where it is m % d and leads into
    loops and to ports that do not exist.
    """
    half, spine, d = ports // 2, levels - 1, (ports // 2) ** (levels - 1)
    reach = half ** min(stage, 2 * spine - stage)
    left = node < half * d
    side = np.where(left, 0, half * d)
    start = side + switch % (d // reach) * (reach * half)
    here = (left & (stage <= spine)) | (~left & (capital or stage >= spine))
    here = here & (start <= node) & (node < start + reach * half)
    down = np.where(left, half, 0) + (node - start) // reach % half + node % d * (ports // (2 * d))
    up = (0 if stage < spine else half) + ((node - side) // reach + switch) % half
    return np.where(here, down, up)


def routing_lookup_printed(ports, levels, stage, switch, node):
    """The code to the letter, with integer division and power.

    The printed `S >= S/2` always holds, so that the first branch is taken on the left for nodes on
    the right as well: for L >= 3 that costs spreading only, for L = 2 the last term does more harm.
    """
    return routing_lookup_with_term(ports, levels, stage, switch, node, capital=True)
