"""What a load-balanced Birkhoff-von Neumann switch is built of."""

from dataclasses import dataclass, field

from fattree_models.common.checks import check_integer, check_word
from fattree_models.lbbvn_switch.connections import ASCENDING, PAIRED, SCHEDULES, check_schedule

SCHEMES = ("BASIC", "UFS", "FOFF", "PADDED", "MAILBOX")
FRAMES = ("UFS", "FOFF", "PADDED")
"""Schemes that send frames: N VOQs at each input, not one FIFO."""

MOST_LEVELS = 8
MOST_DEPTH = 1 << 20
MOST_CELLS = 1 << 28
"""Of all memories of one kind together: 2 GiB, touched only as far as they are used."""
_INTEGERS = ("ingress", "middle", "resequencer", "threshold", "gate", "feedback", "tries")


@dataclass(frozen=True)
class SwitchShape:
    """A switch of N = 2^n line cards, each of them input x, middle x and output x.

    Attributes
    ----------
    n : int
        1 ... 8.
    scheme : str
        BASIC
            Send the head of the FIFO at once; cells of a flow may overtake each other.
        UFS
            Send full frames only: N cells of one VOQ, one to each middle.
        FOFF
            Full ordered frames first; if there is none, what is there of the next VOQ; the outputs
            put the cells in order again.
        PADDED
            As UFS, but without a full frame the longest VOQ is filled up with fake cells.
        MAILBOX
            The middle says when a cell would depart, and each cell is placed behind the one before
            it.
    schedule : str
        As of `connections`.  UFS, FOFF and PADDED need BITREV, ROTATOR or TDM, MAILBOX any but
        SAME.
    ingress : int
        Cells in the FIFO of an input, or in each of its VOQs.
    middle : int
        Cells in each VOQ of a middle; places in each row of mailboxes.
    resequencer : int
        FOFF: cells in each of the N FIFOs of an output.
    threshold : int
        PADDED: least number of real cells in a frame, 1 ... N.
    gate : int
        PADDED: a middle queue of so many cells closes its output for padded frames.
    feedback : int
        PADDED: slots from the one in which a middle tells its state to the first choice that sees
        it.
    tries : int
        MAILBOX: how many places a cell tries.
    unchecked : bool
        Lets UFS, FOFF, PADDED and MAILBOX be built with SAME, for experiments: they lose the order.

    Examples
    --------
    >>> SwitchShape(2, "UFS", "SAME", ingress=8, middle=8)
    Traceback (most recent call last):
    ...
    ValueError: schedule: is SAME; allowed are BITREV, ROTATOR, TDM
    """

    n: int
    scheme: str
    schedule: str = "BITREV"
    ingress: int = field(kw_only=True)
    middle: int = field(kw_only=True)
    resequencer: int = 1
    threshold: int = 1
    gate: int = 1
    feedback: int = 1
    tries: int = 1
    unchecked: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", check_integer("n", self.n, 1, MOST_LEVELS))
        check_word("scheme", self.scheme, *SCHEMES)
        check_schedule(self.schedule)
        check_schedule(self.schedule, self._schedules())
        for name in _INTEGERS:
            value = check_integer(name, getattr(self, name), *self._limits(name))
            object.__setattr__(self, name, value)

    @property
    def nodes(self) -> int:
        """Line cards, N."""
        return 1 << self.n

    @property
    def has_frames(self) -> bool:
        """Whether the inputs send frames."""
        return self.scheme in FRAMES

    def _schedules(self) -> tuple[str, ...]:
        """The schedules that the scheme works with."""
        more = ("SAME",) if self.unchecked else ()
        if self.has_frames:
            return ASCENDING + more  # with XOR a frame does not begin at middle 0
        return SCHEDULES if self.scheme == "BASIC" else PAIRED + more

    def _limits(self, name: str) -> tuple[int, int]:
        """The least and the greatest value of a field."""
        if name == "threshold":
            return 1, self.nodes
        if name in ("gate", "feedback", "tries"):
            return 1, MOST_DEPTH
        queues = self.nodes if name == "ingress" and not self.has_frames else self.nodes**2
        least = self.nodes if name == "ingress" and self.has_frames else 1
        return least, min(MOST_DEPTH, MOST_CELLS // queues)


def defaults(n: int, scheme: str, schedule: str = "BITREV") -> SwitchShape:
    """Return a switch of moderate size that drops nothing under ordinary traffic.

    Parameters
    ----------
    n, scheme, schedule
        As of `SwitchShape`.

    Notes
    -----
    Found by simulation (ours), N = 4 ... 64, BITREV, 200,000 slots and more of each traffic:
    Bernoulli (uniform, diagonal), frame-aligned bursts, and trains, geometric bursts of max(N, 20)
    cells in the mean with one destination each.  At a load of 0.95 nothing was dropped, but with
    N = 64 and trains, for which VOQs of inputs would need 8 N places.  A middle queue holds more if
    bursts are long in comparison with N, therefore small switches have longer ones.  MAILBOX cannot
    carry that load: it dropped nothing at 0.75 of Bernoulli traffic and at 0.5 of bursts, but with
    N = 64 and trains; it carried 0.3 of them.

    FOFF: the most that was ever seen in a FIFO, with any traffic, are 1.7 N.  If after a slot no
    cell may leave an output, none of its FIFOs holds more than N + 1 (ours): count time at middle m
    from slot m on; then all middles hear an input in the same slots, and are read in the same
    slots.  The cells of a flow go round the middles, so that any two middles have got the same
    number of them, or one more or less; their queues differ by N flows at most, and what is sent to
    one middle passes it at most N services before all that was sent earlier has passed the others.
    What has no missing predecessor may leave; so all that waits has passed in the last N services
    and this one.

    PADDED: with a gate of 2, and feedback in the next slot, delays are the shortest or within 8 %
    of it, for all N and loads; without a gate fake cells overload the middles.  Less than N/16 real
    cells are not worth a frame.

    MAILBOX: its throughput under uniform traffic is limited to 0.59, 0.75, 0.82 by 1, 2, 4 tries
    with N = 64, and to 0.80 by 8.  More places hardly help, but a flow that was put off to a late
    place stays there as long as it has cells, so that delays grow with the places.

    Examples
    --------
    >>> shape = defaults(6, "PADDED")
    >>> shape.ingress, shape.middle, shape.threshold, shape.gate
    (256, 512, 4, 2)
    """
    nodes = 1 << check_integer("n", n, 1, MOST_LEVELS)
    ingress = {"BASIC": 2, "MAILBOX": 1024}.get(scheme, max(256, 4 * nodes))
    return SwitchShape(
        n,
        scheme,
        schedule,
        ingress=ingress,
        middle=8 if scheme == "MAILBOX" else max(512, 8192 // nodes),
        resequencer=2 * nodes,
        threshold=max(1, nodes // 16),
        gate=2,
        feedback=1,
        tries=4,
    )
