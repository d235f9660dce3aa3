"""Names of what can go wrong, and the notes that a scoreboard takes of it."""

from collections import Counter
from dataclasses import dataclass, field

EXAMPLES = 5  # kept of each kind, in the order they were seen

LOST = "lost"  # expected and never seen
DUPLICATED = "duplicated"  # seen again
MISDELIVERED = "misdelivered"  # seen at another leaf
CORRUPTED = "corrupted"  # seen where a packet was expected, with another payload
LATE = "late"  # seen at the right leaf in another slot
UNPREDICTED = "unpredicted"  # delivered although the model loses it
SPURIOUS = "spurious"  # seen although nobody sent it
REORDERED = "reordered"  # seen after a later packet of the same source and destination
IDLE_NOT_ZERO = "idle_not_zero"  # payload bits on an idle output
UNKNOWN = "unknown"  # X or Z where the design promises 0 or 1
CONFLICTS = "conflict_count"  # the network counts other conflicts than predicted
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
STUCK = "stuck"  # packets do not go on although nobody is in their way
UNFAIR = "unfair"  # a sender gets far less of a link than fair arbiters would give it
UNEVEN = "uneven"  # of parents that are all alike some are chosen more often than chance can tell
WAITED = "waited"  # nobody goes another way where what is nearest is always taken
DEPTH = "queue_depth"  # queues hold more or fewer flits than DEPTH
OVERFLOW = "overflow"  # a queue that should do dropped a cell
RESEQUENCER = "resequencer"  # it holds more cells, or skips more, than the scheme allows
PROTOCOL = "protocol"  # a rule of the link was broken
SIDEBAND = "sideband"  # a field beside the data came changed
ACCEPTED = "accepted"  # less traffic was accepted than is promised
LIMIT = "limit"  # the run was ended: too many clocks, faults, or bytes of log
UNCHECKED = "unchecked"  # sent, and no check has spoken on it


@dataclass
class Faults:
    """How often each kind was seen, and the first examples."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, example: str, count: int = 1) -> None:
        self.counts[kind] += count
        kept = self.examples.setdefault(kind, [])
        if len(kept) < EXAMPLES:
            kept.append(example)

    def __bool__(self) -> bool:
        return bool(self.counts)
