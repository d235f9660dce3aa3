"""The whole switch, slot by slot: which cell leaves where and when, and which is dropped where."""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int32Array, Int64Array, check_slots
from fattree_models.lbbvn.permutation import inverse
from fattree_models.lbbvn_switch import kernel
from fattree_models.lbbvn_switch.connections import connections
from fattree_models.lbbvn_switch.departures import Counters, Departures, drops_of
from fattree_models.lbbvn_switch.shape import SCHEMES, SwitchShape

SMALLEST_LOG = 256


class Switch:
    """A load-balanced Birkhoff-von Neumann switch.

    Parameters
    ----------
    shape : SwitchShape

    Notes
    -----
    In each slot t, at all line cards in parallel: a cell arrives; phase 1, input x sends at most
    one cell to middle p_t(x); phase 2, each middle m sends at most one cell to output q_t(m); a
    cell leaves.  A cell may do all of that in one slot: delay 0.  A full queue drops what comes,
    judged by its content after the slot before.

    O(N) time per slot; frames are chosen in O(N), but once in N slots.

    Examples
    --------
    Two cells for output 0 arrive in slot 0, and go through middles 0 and 1:

    >>> from fattree_models.lbbvn_switch import defaults
    >>> switch = Switch(defaults(1, "BASIC"))
    >>> result = switch.run([[0, 0], [-1, -1]])
    >>> result.source.tolist(), result.arrival.tolist()
    ([[0, -1], [1, -1]], [[0, -1], [0, -1]])
    >>> switch.slot, switch.inside
    (2, 0)
    """

    def __init__(self, shape: SwitchShape) -> None:
        self.shape = shape
        self._rules = _rules(shape)
        self.reset()

    def reset(self) -> None:
        """Empty all queues, clear the counters, start at slot 0."""
        self.slot = 0
        self._state = _state(self.shape)

    @property
    def inside(self) -> int:
        """Real cells in the switch now."""
        return int(self._state.counts.inside[0])

    @property
    def counters(self) -> Counters:
        """What has been counted since the reset, a copy."""
        counts = self._state.counts
        rows = (*counts.dropped, counts.refused, counts.fakes, counts.skipped, *counts.largest)
        return Counters(*(row.copy() for row in rows))

    def run(self, dst: npt.ArrayLike) -> Departures:
        """Run some slots; a run continues where the last one ended.

        Parameters
        ----------
        dst : int array [slots, N]
            Destination of the cell that arrives at each input, -1 = none.
        """
        arrivals, n = check_slots(dst)
        if n != self.shape.n:
            raise ValueError(
                f"dst: has {arrivals.shape[1]} columns; allowed are {self.shape.nodes}"
            )
        source = np.empty(arrivals.shape, dtype=np.int32)
        arrival = np.empty(arrivals.shape, dtype=np.int64)
        backlog = np.empty(arrivals.shape[0], dtype=np.int64)
        log = self._advance(arrivals, source, arrival, backlog)
        result = Departures(self.slot, source, arrival, backlog, drops_of(log))
        self.slot += arrivals.shape[0]
        return result

    def _advance(
        self, dst: Int32Array, source: Int32Array, arrival: Int64Array, backlog: Int64Array
    ) -> Int64Array:
        """Run the slots; return the log of drops, which grows as it is needed."""
        rows = max(SMALLEST_LOG, 3 * self.shape.nodes)
        log = kernel.Log(
            np.empty((rows, kernel.LOG_COLUMNS), dtype=np.int64), np.zeros(1, dtype=np.int64)
        )
        cells = np.empty(self.shape.nodes, dtype=np.int64)
        done = 0
        while True:
            done = kernel.advance(
                self._rules, self._state, self.slot, dst, source, arrival, backlog, cells, log, done
            )
            if done == dst.shape[0]:
                return log.rows[: log.used[0]]
            log = log._replace(rows=np.concatenate((log.rows, np.empty_like(log.rows))))


def _rules(shape: SwitchShape) -> kernel.Rules:
    """Return the shape as the compiled code wants it."""
    phases = connections(shape.schedule, shape.n)
    slots = np.arange(shape.nodes)
    meet = np.empty((shape.nodes, shape.nodes), dtype=np.int64)
    meet[slots, phases.to_output] = slots[:, None]
    return kernel.Rules(
        scheme=SCHEMES.index(shape.scheme),
        threshold=shape.threshold,
        gate=shape.gate,
        feedback=shape.feedback,
        tries=shape.tries,
        to_middle=phases.to_middle.astype(np.int64),
        source_of_output=inverse(phases.to_output).astype(np.int64),
        meet=meet,
    )


def _state(shape: SwitchShape) -> kernel.State:
    """Return the state of an empty switch; what the scheme does not have is of size 0."""
    nodes = shape.nodes
    pairs = nodes * nodes
    state = kernel.State(
        ingress=_queues(pairs if shape.has_frames else nodes, shape.ingress),
        middle=_queues(pairs, shape.middle),
        frames=kernel.Frames(
            now=np.full((nodes, 2), -1, dtype=np.int64),
            pointer=np.zeros((nodes, 2), dtype=np.int64),
            turn=np.zeros((nodes, nodes), dtype=np.int64),
        ),
        last=np.full((nodes, nodes), -1, dtype=np.int64),
        gates=kernel.Gates(
            closed=np.zeros((nodes, nodes), dtype=np.bool_),
            told=np.zeros((shape.feedback, nodes), dtype=np.bool_),
        ),
        egress=kernel.Egress(
            fifos=_queues(pairs if shape.scheme == "FOFF" else 0, shape.resequencer),
            expected=np.zeros((nodes, nodes), dtype=np.int64),
            ready=np.zeros((nodes, -(-nodes // 64)), dtype=np.uint64),
            held=np.zeros(nodes, dtype=np.int64),
            idle=np.zeros(nodes, dtype=np.int64),
        ),
        counts=kernel.Counts(
            inside=np.zeros(1, dtype=np.int64),
            dropped=np.zeros((3, nodes), dtype=np.int64),
            largest=np.zeros((4, nodes), dtype=np.int64),
            refused=np.zeros(nodes, dtype=np.int64),
            fakes=np.zeros(nodes, dtype=np.int64),
            skipped=np.zeros(nodes, dtype=np.int64),
        ),
    )
    if shape.scheme == "MAILBOX":
        state.middle.cells.fill(-1)
    return state


def _queues(queues: int, depth: int) -> kernel.Queues:
    """Return empty queues."""
    return kernel.Queues(
        np.zeros((queues, depth), dtype=np.int64),
        np.zeros(queues, dtype=np.int64),
        np.zeros(queues, dtype=np.int64),
    )
