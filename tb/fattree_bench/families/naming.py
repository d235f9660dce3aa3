"""Which packet a word is of that was seen somewhere: by what was sent, and by whose turn it was."""

import numpy as np
import numpy.typing as npt

from fattree_bench.families.showing import NOBODY, STRANGER, Bits, Ints, Packets

Words = npt.NDArray[np.unsignedinteger]


class Names:
    """Words that were sent, and whose they are; unknown words get a number behind them.

    Parameters
    ----------
    words : what each packet carries, [packets].
    """

    def __init__(self, words: Words) -> None:
        self.words = words.astype(np.uint64)
        self._order = np.argsort(self.words, kind="stable")
        self._sorted = self.words[self._order]

    def find(self, words: Words, there: Bits, expected: Ints, near: Ints | None = None) -> Ints:
        """Packets of words where any are `there`; all of one shape, `expected`: NOBODY where none.

        A word that is as expected is of that packet.  Others are of the first packet that sent
        such a word, not before number `near`.
        """
        found = np.full(words.shape, NOBODY)
        at = np.flatnonzero(there)
        word, due = words.reshape(-1)[at].astype(np.uint64), expected.reshape(-1)[at]
        if not len(self.words):
            found.reshape(-1)[at] = STRANGER
            return found
        right = (due >= 0) & (self.words[np.maximum(due, 0)] == word)
        place = np.minimum(np.searchsorted(self._sorted, word), len(self._sorted) - 1)
        if near is not None:  # numbers of slots wrap round: take the latest one that may be
            end = np.searchsorted(self._sorted, word, side="right")
            for index in np.flatnonzero(end - place > 1).tolist():
                those = self._order[place[index] : end[index]]
                few = those[those <= near.reshape(-1)[at][index]]
                if len(few):
                    place[index] = place[index] + len(few) - 1
        known = self._sorted[place] == word
        who = np.where(right, due, np.where(known, self._order[place], STRANGER))
        found.reshape(-1)[at] = who
        return found


def with_strangers(packets: Packets, *grids: tuple[Ints, Words, Ints]) -> Packets:
    """Packets, and one more for each unknown word; the grids' STRANGERs get its number.

    `grids`: packets, words, times, all of one shape.
    """
    at = [(grid, np.flatnonzero(grid == STRANGER), words, times) for grid, words, times in grids]
    seen = np.concatenate([words.reshape(-1)[where].astype(np.uint64) for _, where, words, _ in at])
    known = np.unique(seen)
    start = np.full(len(known), np.iinfo(np.int64).max)
    for grid, where, words, times in at:
        number = np.searchsorted(known, words.reshape(-1)[where].astype(np.uint64))
        np.minimum.at(start, number, times.reshape(-1)[where])
        grid.reshape(-1)[where] = number + len(packets)
    nobody = np.full(len(known), NOBODY)
    return Packets(
        np.concatenate([packets.source, nobody]),
        np.concatenate([packets.destination, nobody]),
        np.concatenate([packets.start, start]),
        np.concatenate([packets.wrong, np.ones(len(known), np.bool_)]),
        [*packets.says, *(f"unknown word: {word:#x}" for word in known.tolist())],
    )
