"""Links between two clocks: what comes over, in which order, and after how many edges.

What is on a link at an edge of the sender's clock is written at that edge.  Let edge e of the
receiver's clock be the first behind it.  With SYNC flip-flops it is on the link there at edge
e + SYNC, and one later if the bit of the pointer was seen late; behind another one at the next edge
at the soonest (async_link.v).  Credits of each virtual channel cross likewise, the other way.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.faults import Finding, Where
from fattree_models.common.checks import Int64Array

LATE = 1  # edges that a bit which moves as it is sampled may be late, see sampler.v
LONG_AGO = -(1 << 40)
Values = npt.NDArray[np.uint64]


@dataclass
class Crossing:
    """What comes over in order, since the last reset: flits of a link, or credits of a VC.

    Attributes
    ----------
    name : what a reader finds.
    sync : flip-flops of a synchroniser.
    """

    name: str
    sync: int
    _went: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))
    _sent: Values = field(default_factory=lambda: np.zeros(0, np.uint64))
    _last: int = LONG_AGO

    def check(
        self, went: Int64Array, came: Int64Array, sent: Values, got: Values, edges: int
    ) -> Finding | None:
        """Tell the first that came wrong.

        Parameters
        ----------
        went : int64 [sent], the first of the receiver's edges behind each; sent : what it was.
        came : int64 [got], the edge at which each was there; got : what it was.
        edges : of the receiver until now.
        """
        went, sent = np.concatenate((self._went, went)), np.concatenate((self._sent, sent))
        count = came.size
        if count > went.size:
            return self._told(kind.SPURIOUS, "more came over than was sent")
        first = went[:count]
        soonest = first + self.sync
        latest = np.maximum(soonest + LATE, np.concatenate(([self._last], came[:-1]))[:count] + 1)
        for wrong, name, told in (
            (sent[:count] != got, kind.CORRUPTED, "it came over as another"),
            (came < soonest, kind.EARLY, "it came over after {} edges, {} at least"),
            (came > latest, kind.LATE, "it came over after {} edges, {} … {} expected"),
        ):
            if wrong.any():
                at = int(np.argmax(wrong))
                took = (int(each[at] - first[at]) for each in (came, soonest, latest))
                return self._told(name, told.format(*took))
        self._went, self._sent = went[count:], sent[count:]
        self._last = int(came[-1]) if count else self._last
        if self._went.size and max(self._went[0] + self.sync + LATE, self._last + 1) < edges:
            told = f"nothing came over within {edges - int(self._went[0])} edges"
            return self._told(kind.LATE, told)
        return None

    def _told(self, name: str, what: str) -> Finding:
        told = f"{self.name}, into another clock: {what}"
        return Finding(name, told, Where(None, Place(self.name)))
