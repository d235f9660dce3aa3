"""What a shared output buffer promises: a packet that fits into it leaves its input.

A buffer takes a packet only if it is empty, and then for the whole packet alone: its output, when
it gets it, is held from head to tail (ours).  So a packet that does not fit as a whole would wait
in its input for its output, and all packets behind it too; one that fits moves a word a clock,
whatever its output does.
"""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import check_integer, check_integers
from fattree_models.spin.codec import MOST_WORDS


def clocks_in_input(words: int, ready: npt.ArrayLike, capacity: int = MOST_WORDS) -> int:
    """Return in how many clocks a packet leaves its input for a shared buffer.

    Parameters
    ----------
    words : int
        Of the packet, 1 or more; they are all there, or come as fast as they leave.
    ready : int array [clocks]
        1 in clocks in which the output takes a word, else 0; 0 after the last.
    capacity : int
        Words of the buffer.

    Returns
    -------
    int
        Clocks from the first word into the buffer to the last, both counted; -1 if it never
        leaves.

    Notes
    -----
    A word that enters in clock t may leave from t + 1 on, and its place is free for a word of the
    clock after.

    Examples
    --------
    >>> clocks_in_input(18, []), clocks_in_input(19, []), clocks_in_input(19, [0] * 30 + [1])
    (18, -1, 32)
    """
    words = check_integer("words", words, 1)
    capacity = check_integer("capacity", capacity, 1)
    gates = check_integers("ready", ready, 0, 1).astype(np.bool_).tolist()
    inside = moved = clock = 0
    while moved < words:
        if clock >= len(gates) and inside == capacity:
            return -1
        leaves = clock < len(gates) and gates[clock] and inside > 0
        enters = inside < capacity
        inside += enters - leaves
        moved += enters
        clock += 1
    return clock
