"""What is synthesized of SPIN has the parts of the model; shared buffers have a cost."""

import pytest

from fattree_bench.area.designs import KINDS
from fattree_bench.families.design import Block, Cost
from fattree_bench.families.spin import area
from fattree_models import spin
from tests.tb.area.samples import measured


def costs(block: Block) -> Cost:
    """With buffers a router has half as many gates again, and five times the memory."""
    shared = dict(block.parameters)["SHARED"]
    return Cost({}, 300.0 if shared else 200.0, 10, 0, 50 if shared else 10, 9)


@pytest.mark.parametrize("n", [4, 5, 6])
@pytest.mark.parametrize(("kind", "shared"), [("SPIN", 1), ("SPIN_PLAIN", 0)])
def test_parts_are_those_of_the_model(n: int, kind: str, shared: int) -> None:
    (own,) = KINDS[kind].make(n)
    tree = spin.tree(2**n)
    assert sum(node.copies for node in own.nodes) == tree.switches
    assert own.lanes == sum(node.copies * node.degree for node in own.nodes) / 2 + 2**n
    turns = [
        int(spin.crossbar(tree.down_ports(level), tree.up_ports(level), shared).sum())
        for level in range(1, tree.height + 1)
    ]
    assert own.crosspoints == sum(
        node.copies * turn for node, turn in zip(own.nodes, turns, strict=True)
    )
    assert KINDS[kind].make(3) == []


def test_what_buffers_cost_is_told() -> None:
    both = measured("SPIN", "SPIN_PLAIN", sizes=(4,), cost=costs)
    assert area.compared(both) == [
        "Shared output buffers of SPIN cost 50% more gates, 5.0 times the bits of queues at N=16."
    ]
    assert area.compared(measured("SPIN", sizes=(4,), cost=costs)) == []
