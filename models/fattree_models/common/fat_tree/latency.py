"""Latency of a packet that meets no other."""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, check_integers


def zero_load_latency(
    hops: npt.ArrayLike, flits: npt.ArrayLike, stages: npt.ArrayLike
) -> Int64Array:
    """Return the clocks from a packet's creation to its tail at the receiver, in an empty network.

    Parameters
    ----------
    hops : int array
        Switches on its route, at least 1.
    flits : int array
        Its length, at least 1.
    stages : int array
        Clocks that a switch takes, at least 1.

    Returns
    -------
    int64 array of the broadcast shape

    Notes
    -----
    1 + hops * (stages + 1) + flits - 1: the interface takes a clock, every switch `stages` and the
    link behind it one, and the tail follows the head a clock a flit (the RTL's contract; ours).

    Examples
    --------
    >>> zero_load_latency([1, 3, 5], 4, 3)
    array([ 8, 16, 24])
    """
    arrays = []
    for name, values in (("hops", hops), ("flits", flits), ("stages", stages)):
        array = check_integers(name, values, 1, np.iinfo(np.int32).max)
        arrays.append(array.astype(np.int64))
    switches, length, each = arrays
    return np.asarray(1 + switches * (each + 1) + length - 1)
