"""What a load-balanced Birkhoff-von Neumann switch is built of."""

from dataclasses import dataclass

from models.lbbvn_switch.connections import ASCENDING, PAIRED, SCHEDULES, check_schedule

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
            As UFS, but if there is no full frame the longest VOQ is filled up with fake cells.
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

    Raises
    ------
    ValueError
        If something is out of range; the message names the field and what is allowed.

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
    ingress: int = 2
    middle: int = 64
    resequencer: int = 1
    threshold: int = 1
    gate: int = 1
    feedback: int = 1
    tries: int = 1
    unchecked: bool = False

    def __post_init__(self) -> None:
        _check_integer("n", self.n, 1, MOST_LEVELS)
        if self.scheme not in SCHEMES:
            raise ValueError(f"scheme: is {self.scheme}; allowed are {', '.join(SCHEMES)}")
        check_schedule(self.schedule)
        check_schedule(self.schedule, self._schedules())
        for name in _INTEGERS:
            _check_integer(name, getattr(self, name), *self._limits(name))

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


def _check_integer(name: str, value: int, least: int, most: int) -> None:
    """Raise `ValueError` unless `value` is an integer from `least` to `most`."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{name}: is {value}; allowed are integers {least} … {most}")
