"""What one delivery cycle of the bit-serial fat-tree delivers, where and when it loses the rest.

The hardware is a matter of ticks; the outcome is not, because the ticks at which messages reach a
port are known beforehand.  All sources put M on their wires in tick 1, and all the ports of a level
and direction delay alike.  So the messages at an up port arrive together.  Those at a down port of
level k arrive in groups, one for each level p <= k at which they turned, the lowest ancestor first,
and one for traffic from outside, somewhere among them.  One pass up the tree and one down, port by
port, with the requests of a port sorted by tick, is the whole simulation (ours; the rules of the
ports are those of Leiserson 1985, Sections II and IV, made precise by this project).
"""

from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int32Array, Int64Array, check_integers
from fattree_models.leiserson.cycle_kernel import Machine, run
from fattree_models.leiserson.partial import adjacency
from fattree_models.leiserson.serial_tree import (
    IDLE,
    SerialTree,
    check_destinations,
    check_edges,
    refuse_destination,
)


@dataclass(frozen=True)
class CycleOutcome:
    """What became of the messages of C delivery cycles.

    Attributes
    ----------
    arrived : int32 array [C, S]
        By sink: the source whose message arrives on that wire, -1 = none.
    tick : int32 array [C, S]
        By sink: the tick of M, -1 = none.
    delivered : bool array [C, S]
        By source: its message arrives.
    ack_tick : int32 array [C, S]
        By source: the tick in which it sees its acknowledge, -1 = never.
    lost_at : int32 array [C, S]
        By source: +v lost at the up port towards channel v, -v at the down port towards channel v;
        0 = idle or delivered.
    lost_up, lost_down : int64 arrays [C, h + 1]
        Messages lost, by the level of that channel.
    used_up, used_down : int32 arrays [C, 2n]
        Wires in use at the end of the cycle, by heap index of the channel; entry 0 is 0, entry 1 is
        the external channel; up wires of a leaf: messages it sends, down: messages it receives.
    """

    arrived: Int32Array
    tick: Int32Array
    delivered: BoolArray
    ack_tick: Int32Array
    lost_at: Int32Array
    lost_up: Int64Array
    lost_down: Int64Array
    used_up: Int32Array
    used_down: Int32Array

    @classmethod
    def silent(cls, tree: SerialTree, cycles: int) -> "CycleOutcome":
        """Return the outcome of cycles in which nothing is sent."""
        sources = tree.sources
        return cls(
            arrived=np.full((cycles, sources), IDLE, dtype=np.int32),
            tick=np.full((cycles, sources), -1, dtype=np.int32),
            delivered=np.zeros((cycles, sources), dtype=np.bool_),
            ack_tick=np.full((cycles, sources), -1, dtype=np.int32),
            lost_at=np.zeros((cycles, sources), dtype=np.int32),
            lost_up=np.zeros((cycles, tree.h + 1), dtype=np.int64),
            lost_down=np.zeros((cycles, tree.h + 1), dtype=np.int64),
            used_up=np.zeros((cycles, 2 * tree.n), dtype=np.int32),
            used_down=np.zeros((cycles, 2 * tree.n), dtype=np.int32),
        )


def deliver(
    tree: SerialTree,
    dst: npt.ArrayLike,
    edges: npt.ArrayLike | None = None,
    first_cycle: npt.ArrayLike = 0,
) -> CycleOutcome:
    """Return the outcome of delivery cycles, each for itself.

    Parameters
    ----------
    dst : int array [C, S]
        Destination of the message of each source: a processor, n = out of the machine, -1 = none.
    edges : uint8 array [C, S, E], optional
        Decision of each successive stage on the way of a message, 0 ... 7; without it all are 7,
        the first free edge.
    first_cycle : int or int array [C]
        Number of the first cycle, counted from the last restart; an array holds the number of each.
        Only ROTATING priority depends on it.

    Notes
    -----
    O(wires + nodes passed) time a cycle, some 10 ns for each node that a message passes, with ideal
    concentrators.  A list that is not yet sorted by tick is gone through once a group.

    Examples
    --------
    Two processors want a third one, and the one on its own side of the root, whose message comes
    first, wins; the other is lost at the down port to channel 4:

    >>> outcome = deliver(SerialTree((1, 1, 1), data_bits=8), [[-1, 0, 0, -1, -1]])
    >>> outcome.arrived, outcome.tick[0, 0], outcome.ack_tick[0, 1]
    (array([[ 1, -1, -1, -1, -1]], dtype=int32), np.int32(3), np.int32(13))
    >>> outcome.lost_at
    array([[ 0,  0, -4,  0,  0]], dtype=int32)
    """
    wants = check_destinations(tree, dst)
    cycles, sources = wants.shape
    if tree.offline:
        raise ValueError("tree: has off-line nodes; allowed are others: see offline_nodes.lead")
    decision = check_edges(tree, edges, wants.shape)
    outcome = CycleOutcome.silent(tree, cycles)
    numbers = _cycle_numbers(first_cycle, cycles)
    # Attributes are handed over in the order in which they are declared.
    results = (getattr(outcome, field.name) for field in fields(outcome))
    wrong = run(*_machine(tree), wants, decision, numbers, *results)
    if wrong >= 0:
        refuse_destination(tree, int(wrong % sources), int(wants.flat[wrong]))
    return outcome


@lru_cache(maxsize=64)
def _machine(tree: SerialTree) -> Machine:
    """Return the tables of a tree."""
    first, stage, delay = [0], [], []
    graphs = [np.zeros(0, dtype=np.int32)]
    for k in range(tree.h):
        for shape in (tree.shape_up[k], tree.shape_down[k]):
            for r, s in tree.plan(*shape):
                graph = np.asarray(adjacency(r, s), dtype=np.int32)
                stage.append((s, graph.shape[1], sum(g.size for g in graphs)))
                graphs.append(graph.ravel())
            first.append(len(stage))
        delay += [tree.delay_up[k], tree.delay_down[k]]
    rotating, partial = int(tree.priority == "ROTATING"), int(tree.concentrator == "PARTIAL")
    return Machine(
        size=(rotating, partial, tree.pipeline, tree.data_bits),
        cap=np.array(tree.cap, dtype=np.int64),
        delay=np.array(delay, dtype=np.int64),
        first=np.array(first, dtype=np.int64),
        stage=np.array(stage, dtype=np.int64).reshape(-1, 3),
        graph=np.concatenate(graphs),
    )


def _cycle_numbers(first_cycle: npt.ArrayLike, cycles: int) -> Int64Array:
    """Return the number of each cycle."""
    first = check_integers("first_cycle", first_cycle)
    if first.shape not in ((), (cycles,)):
        raise ValueError(f"first_cycle: has shape {first.shape}; allowed are () and ({cycles},)")
    if first.size and int(first.min()) < 0:
        raise ValueError(f"first_cycle: holds {int(first.min())}; allowed are integers from 0")
    numbers = first.astype(np.int64)
    return numbers if numbers.ndim else np.arange(cycles, dtype=np.int64) + numbers
