"""Names of what can go wrong, and the notes that a scoreboard takes of it."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from fattree_bench.bench.failure import Parcel, Place, Sighting

EXAMPLES = 5  # kept of each kind, in the order they were seen
SEEN = 10_000  # faults that name a packet, whose lines are kept

LOST = "lost"  # expected and never seen
DUPLICATED = "duplicated"  # seen again
MISDELIVERED = "misdelivered"  # seen at another leaf
CORRUPTED = "corrupted"  # seen where a packet was expected, with another payload
LATE = "late"  # seen at the right leaf in another slot
UNPREDICTED = "unpredicted"  # delivered although the model loses it
SPURIOUS = "spurious"  # seen although it was not sent
REORDERED = "reordered"  # seen after a later packet of the same source and destination
IDLE_NOT_ZERO = "idle_not_zero"  # payload bits on an idle output
UNKNOWN = "unknown"  # X or Z where the design promises 0 or 1
CONFLICTS = "conflict_count"  # the network counts other conflicts than predicted
LANES = "lanes"  # as many of a channel carry something at once in the RTL, or in the model
COUNTERS = "packet_count"  # injected or delivered counters disagree with what was sent or seen
TRAILING = "trailing_bits"  # ones behind the last data bit of a message
SENDING = "sending"  # a sender sent, or was silent, against its discipline
COIN = "coin"  # a sender sent, or was silent, against the random number that it drew
ACKNOWLEDGE = "acknowledge"  # came to another sender, in another clock, or not at all
CYCLE = "cycle_length"  # delivery cycles take another number of clocks
SCHEDULE = "schedule"  # an off-line schedule in which the model loses messages
IMPOSSIBLE = "impossible_bin"  # of coverage, hit although a reason is given why nothing can
LINK = "link_mismatch"  # a link carries another flit or credit in a clock than the model says
STATE = "state_mismatch"  # links are right, and the network shows another state of itself
MARKS = "flit_marks"  # heads and tails are not marked as such, or others are
ROUTE = "route"  # a packet took another way than the routing says, or an illegal one
EARLY = "early"  # a packet was faster than anybody can be, or left before its turn
CHANNEL = "virtual_channel"  # a flit came in a virtual channel that is not its packet's
INTERLEAVED = "interleaved"  # two packets mixed in one virtual channel
NOT_EMPTY = "not_empty"  # flits are left in a network that has delivered everything
CREDITS = "credits"  # a virtual channel did not get all its credits back, or is held for ever
DEADLOCK = "deadlock"  # channels wait for each other in a cycle
STUCK = "stuck"  # packets stop although their way is free
UNFAIR = "unfair"  # a sender gets far less of a link than fair arbiters would give it
UNEVEN = "uneven"  # of parents that are all alike some are chosen more often than chance can tell
WAITED = "waited"  # no packet takes another way where the nearest is always taken
DEPTH = "queue_depth"  # queues hold more or fewer flits than DEPTH
OVERFLOW = "overflow"  # a queue that should do dropped a cell
RESEQUENCER = "resequencer"  # it holds more cells, or skips more, than the scheme allows
PROTOCOL = "protocol"  # a rule of the link was broken
SIDEBAND = "sideband"  # a field next to the data came changed
ACCEPTED = "accepted"  # less traffic was accepted than is promised
PLAYER = "player"  # what drives the network at a player's place did not play what was asked
RAISED = "raised"  # the test's own code ended with an exception
REPORTED = "reported"  # a component says so to the report server, with UVM_ERROR
LIMIT = "limit"  # the run was ended: too many clocks, faults, or bytes of log
UNCHECKED = "unchecked"  # sent, and no check has spoken on it
# What is said of a packet itself; other faults are of something about it.
WORDS: tuple[str, ...] = ("", LOST, DUPLICATED, MISDELIVERED, CORRUPTED, LATE, UNPREDICTED)
WORDS += (SPURIOUS, REORDERED, EARLY, INTERLEAVED, STUCK)


@dataclass(frozen=True)
class Where:
    """Numbers of a fault, besides the words of its example: see Sighting."""

    time: int | None = None
    place: Place | None = None
    expected: Parcel | None = None
    got: Parcel | None = None
    since: int | None = None
    missing: str = ""


NOWHERE = Where()


class Finding(NamedTuple):
    """A fault that a check has found."""

    kind: str
    example: str
    where: Where = NOWHERE


@dataclass
class Faults:
    """How often each kind was seen, the first examples, the earliest fault and some behind it.

    Attributes
    ----------
    unit : what times of faults are counted in.
    item, family : that is being checked: its number from the scenario's start, what it is of.
    seen : faults that name a packet, as many as are kept.
    """

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    unit: str = "clock"
    item: int = 0
    family: str = ""
    first: Sighting | None = None
    seen: list[Sighting] = field(default_factory=list)
    step_of: Callable[[int], int | None] = lambda time: None

    def add(self, kind: str, example: str, count: int = 1, where: Where = NOWHERE) -> None:
        self.counts[kind] += count
        kept = self.examples.setdefault(kind, [])
        if len(kept) < EXAMPLES:
            kept.append(example)
        rank = self._rank(where), kind != PROTOCOL  # of one clock a rule comes before its results
        first = self.first
        earlier = first is None or rank < (self._rank(first), first.kind != PROTOCOL)
        names = where.expected is not None or where.got is not None
        if earlier or (names and len(self.seen) < SEEN):
            sighting = self._sighting(kind, example, where)
            if earlier:
                self.first = sighting
            if names and len(self.seen) < SEEN:
                self.seen.append(sighting)

    def note(self, found: Iterable[Finding]) -> None:
        """Add what a check has found."""
        for finding in found:
            self.add(finding.kind, finding.example, where=finding.where)

    def _rank(self, of: "Where | Sighting") -> tuple[int, int, int]:
        """Order of time: what has none comes last in its item, by when it was sent."""
        item = of.item if isinstance(of, Sighting) else self.item
        unknown = (of.time is None) + (of.time is None and of.since is None)
        return item, unknown, of.time or of.since or 0

    def _sighting(self, kind: str, example: str, where: Where) -> Sighting:
        clock = where.since if where.time is None else where.time
        return Sighting(
            *(kind, example, self.item, self.family, where.time, self.unit, where.place),
            *(where.expected, where.got, where.since, where.missing),
            step=None if clock is None else self.step_of(clock),
        )

    def __bool__(self) -> bool:
        return bool(self.counts)
