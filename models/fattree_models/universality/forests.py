"""Consecutive leaves of a complete binary tree are those of few complete subtrees (Lemma 7)."""


def forest(begin: int, end: int) -> list[tuple[int, int]]:
    """Return the maximal complete subtrees whose leaves are begin … end-1.

    Returns
    -------
    list of (height, number)
        Tree `number` of a height has the leaves number 2^height … (number + 1) 2^height - 1.  At
        most two of any height, none higher than lg(end - begin).

    Examples
    --------
    >>> forest(1, 8)
    [(0, 1), (1, 1), (2, 1)]
    """
    found = []
    height = 0
    while begin < end:
        if begin & 1:
            found.append((height, begin))
            begin += 1
        if end & 1:
            end -= 1
            found.append((height, end))
        begin, end, height = begin >> 1, end >> 1, height + 1
    return found
