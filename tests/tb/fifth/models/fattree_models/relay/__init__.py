"""What a relay does: each output takes the packet of the lowest input that wants it."""

import numpy as np

from fattree_models.common.checks import Int32Array


def relayed(dst: Int32Array) -> Int32Array:
    """Return who is heard.

    Parameters
    ----------
    dst : int32 array [slots, N]
        Destination of each input's packet, -1 = none.

    Returns
    -------
    int32 array [slots, N]
        The input whose packet comes out of each output, -1 = none.

    Examples
    --------
    >>> relayed(np.array([[1, 1, -1, 0]])).tolist()
    [[3, 0, -1, -1]]
    """
    source = np.full(dst.shape, -1, np.int32)
    for x in reversed(range(dst.shape[1])):
        rows = np.flatnonzero(dst[:, x] >= 0)
        source[rows, dst[rows, x]] = x
    return source
