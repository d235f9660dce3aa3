"""What must be tried on the relay."""

from fattree_bench.families.relay.network import Relay

from fattree_bench.bench.groups import Group, Point, numbered

PAIRS = "source x destination"
LOST = "packets lost in a slot"
SHARES = ("none", "one", "more")


def groups(network: Relay) -> list[Group]:
    """The cover groups."""
    lost = Group(LOST, (Point("packets", SHARES),))
    lost.exclude("of two packets one arrives", [False, False, network.leaves == 2])
    return [
        Group(PAIRS, (numbered("source", network.leaves), numbered("destination", network.leaves))),
        lost,
    ]
