"""Chooses the next tests, and their stimulus, by the open bins that they may hit in a clock.

Learnt is, for each value of a test's variables, which share of a group's open bins a run hits: the
mean of its runs and of a first guess, which is high where the testplan says that the test closes
the group.  Of several values the least share counts, as a bin needs every variable right.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.chosen import ROWS, unpacked, write
from fattree_bench.bench.groups import Group
from fattree_models.common.checks import BoolArray

CLOSES, OTHERS = 0.5, 0.1  # first guesses
COMPARED = 200  # choices of the variables of one test
Groups = Mapping[str, Group]
Shares = npt.NDArray[np.float64]  # by group
Aims = Callable[[Groups, Mapping[str, BoolArray]], Mapping[str, Sequence[str]]]


@dataclass(frozen=True)
class Arm:
    """A test, and values of its variables: the first says how much traffic there is."""

    test: str
    stimulus: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """As STIMULUS says it."""
        return write(dict(self.stimulus))


class Chooser:
    """Chooses for one configuration.

    Attributes
    ----------
    closes : the tests, each with the groups that it says it closes.
    rows : amounts of random traffic that are tried.
    aims : of tests with variables: values that can reach the bins that are left.
    open, hit : bool by group: bins that count and no run has hit; all bins that runs have hit.
    clocks, dry : simulated in all, and since the last new bin.
    gone : tests that failed.
    """

    def __init__(
        self,
        groups: Groups,
        open_bins: Mapping[str, BoolArray],
        closes: Mapping[str, set[str]],
        rows: Sequence[int],
        aims: Mapping[str, Aims],
        rng: np.random.Generator,
    ) -> None:
        self.groups, self.closes, self.rows, self.aims, self.rng = groups, closes, rows, aims, rng
        self.open = {name: open_bins[name].copy() for name in groups}
        self.hit = {name: np.zeros_like(bins) for name, bins in self.open.items()}
        self.runs: dict[Arm, list[int]] = {}  # clocks of each
        self._known: dict[tuple[str, str, str], list[Shares]] = {}  # shares, 1 where some were open
        self.gone: set[str] = set()
        self.clocks = self.dry = 0

    @property
    def left(self) -> dict[str, BoolArray]:
        """The groups that have open bins."""
        return {name: bins for name, bins in self.open.items() if bins.any()}

    def learn(self, arm: Arm, bins: Mapping[str, str], clocks: int) -> None:
        """Take a run into account; `bins` as of chosen.packed."""
        there, new = self._counts(), np.zeros(len(self.groups))
        for number, (name, left) in enumerate(self.open.items()):
            hit = unpacked(bins.get(name, ""), left.size).reshape(left.shape)
            new[number] = np.count_nonzero(hit & left)
            self.hit[name] |= hit
            self.open[name] = left & ~hit
        for name, value in arm.stimulus:
            known = self._known.setdefault((arm.test, name, value), [])
            known.append(np.stack([new / np.maximum(1, there), there > 0]))
        self.runs.setdefault(arm, []).append(clocks)
        self.clocks += clocks
        self.dry = 0 if new.any() else self.dry + clocks

    def _counts(self) -> Shares:
        return np.array([np.count_nonzero(bins) for bins in self.open.values()], np.float64)

    def chances(self, arm: Arm) -> Shares:
        """Of an open bin of each group, to be hit by one more run."""
        says = self.closes[arm.test]
        least = first = np.array([CLOSES if name in says else OTHERS for name in self.groups])
        for name, value in arm.stimulus:
            known = self._known.get((arm.test, name, value), [])
            shares, tries = np.sum(known, axis=0) if known else np.zeros((2, len(first)))
            again = 1 if arm.test in self.aims else len(known) + 1  # it does much the same again
            least = np.minimum(least, (shares + first) / (tries + 1) / again)
        return np.asarray(least)

    def cost(self, arm: Arm) -> float:
        """Clocks of a run: as those before, or in proportion to the traffic."""
        size = float(arm.stimulus[0][1])
        ratios = {o: float(np.mean(x)) / float(o.stimulus[0][1]) for o, x in self.runs.items()}
        own = {o: x for o, x in ratios.items() if o.test == arm.test}
        near = {o: x for o, x in own.items() if o.stimulus[0] == arm.stimulus[0]}
        return max(1.0, size * float(np.median([*(near or own or ratios or {arm: 1.0}).values()])))

    def arms(self) -> list[Arm]:
        """All that may be chosen, in random order; of a test with variables some."""
        found = []
        for test in (test for test in self.closes if test not in self.gone):
            if test in self.aims:
                values = self.aims[test](self.groups, self.left)
                every = [*product(*([(name, x) for x in some] for name, some in values.items()))]
                some = self.rng.permutation(len(every))[:COMPARED]
                found += [Arm(test, every[number]) for number in some]
            else:
                found += [Arm(test, ((ROWS, str(rows)),)) for rows in self.rows]
        return [found[number] for number in self.rng.permutation(len(found))]

    def choose(self, most: int) -> list[Arm]:
        """The next runs of one process: each adds most, a clock, to what those before may hit."""
        arms = self.arms()
        chances = np.array([self.chances(arm) for arm in arms]).reshape(len(arms), -1)
        costs = np.array([self.cost(arm) for arm in arms])
        missing, chosen, gains = self._counts(), list[Arm](), list[float]()
        while len(chosen) < most:
            gain = chances @ missing / costs
            gain[[not fits(arm, chosen) for arm in arms]] = 0
            best = int(np.argmax(gain)) if arms else 0
            if not arms or gain[best] <= max(gains, default=0) / 2:
                break
            chosen.append(arms[best])
            gains.append(gain[best])
            missing *= 1 - chances[best]
        return chosen

    def dried_up(self) -> bool:
        """Every test has run, and since the last new bin as many clocks as all of them take."""
        clocks = {arm.test: np.mean(x) for arm, x in self.runs.items()}
        tests = set(self.closes) - self.gone
        return tests <= set(clocks) and self.dry >= float(sum(clocks[test] for test in tests))


def fits(arm: Arm, chosen: Sequence[Arm]) -> bool:
    """Whether an arm can run in one process with others: each test once, one value a variable."""
    given = {name: value for other in chosen for name, value in other.stimulus}
    same = all(given.get(name, value) == value for name, value in arm.stimulus)
    return bool(same) and arm.test not in {other.test for other in chosen}


def counted(bins: Mapping[str, BoolArray]) -> int:
    """How many bins of all groups these are."""
    return sum(int(np.count_nonzero(some)) for some in bins.values())
