"""What the paper defines of frames: Eq. (1), the uniform mapping property, and our criterion."""

import numpy as np


def is_permutation(rows):
    """Whether each row, [..., N], is a permutation of 0 ... N-1."""
    return (np.sort(rows, axis=-1) == np.arange(np.shape(rows)[-1])).all(axis=-1)


def sums_to_ones(frame):
    """Whether the rows are N permutations whose matrices sum to all ones, Eq. (1).

    Entry (x, y) of the sum counts the slots in which x sends to y, so the sum is all ones exactly
    if the columns of the array are permutations as well.
    """
    array = np.array(frame)
    square = array.shape[0] == array.shape[1]
    return bool(square and is_permutation(array).all() and is_permutation(array.T).all())


def has_uniform_mapping(perm, j=None):
    """Whether |perm(S(j, k)) ∩ S(n-j, l)| = 1 for all k, l: Definition 3, Eq. (11), by row.

    k and l are the first j bits of x and the first n-j bits of perm(x): together n bits, and each
    pair has to occur once, so the pair is a permutation of x.  j is None for all levels 1 ... n-1.
    """
    array = np.asarray(perm)
    x = np.arange(array.shape[-1])
    n, result = x.size.bit_length() - 1, is_permutation(array)
    for level in range(1, n) if j is None else (j,):
        pair = (x >> (n - level) << (n - level)) | (array >> level)
        result = result & is_permutation(pair)
    return result


def fits_exactly(frame):
    """Whether |row(S(j, k)) ∩ S(j, k)| = 2^(n-2j) for all rows, k and 1 <= j <= floor(n/2).

    For a frame that sums to ones this is necessary and sufficient to fit Lemma 1's lanes: over the
    frame 2^(2n-2j) packets stay in S(j, k), 2^(n-2j) a slot on the average, and no slot can do with
    fewer.  A single permutation may fit with more of them staying: the identity does, and does not
    meet this criterion.  The uniform mapping property implies it (Eq. (21)) and not the reverse.
    """
    array = np.asarray(frame)
    slots, leaves = array.shape
    n, x = leaves.bit_length() - 1, np.arange(leaves)
    good = is_permutation(array).all()
    for j in range(1, n // 2 + 1):
        stays = array >> (n - j) == x >> (n - j)
        count = np.count_nonzero(stays.reshape(slots, 1 << j, leaves >> j), axis=2)
        good &= (count == 1 << (n - 2 * j)).all()
    return bool(good)
