"""RUFT against the tree that it is made from; a switch that is too large is trouble."""

from dataclasses import replace

from fattree_bench.area.designs import KINDS
from fattree_bench.bench.claims import FAILS, HOLDS, UNMEASURED
from fattree_bench.families.design import Block, Cost
from fattree_bench.families.ruft import area
from fattree_models.ruft import tree as ruft_tree
from fattree_models.ruft.routing import Ruft
from tests.tb.area.samples import measured


def costs(block: Block) -> Cost:
    """As many gates as crosspoints, as many bits as ports."""
    chosen = dict(block.parameters)
    ports = chosen["DOWN"] + chosen["UP"]
    return Cost({}, float(ports**2), 10 * ports, 0, 100 * ports, 7)


def test_parts_of_the_models() -> None:
    for n in (2, 3, 5):
        (tree,), (own,) = KINDS["KARY"].make(n), KINDS["RUFT"].make(n)
        here = ruft_tree.counts(Ruft(2, n))
        assert (own.lanes, tree.lanes) == (here.links, 2 * n * 2**n)
        assert sum(node.copies for node in own.nodes) == here.switches
        assert sum(node.copies * node.degree for node in own.nodes) == here.ports
        assert own.crosspoints == here.switches * 4


def test_half_a_switch() -> None:
    claim = area.halved(measured("KARY", "RUFT", cost=costs))
    assert (claim.verdict, claim.trouble, claim.item) == (HOLDS, "", "S34")
    assert claim.measured.text == (
        "25% … 50% of a switch's gates, flip-flops and bits of queues; 32 of 48 links at N=8, "
        "80 of 128 links at N=16, one way each"
    )


def test_a_switch_that_is_too_large_is_trouble() -> None:
    def more(block: Block) -> Cost:
        cost = costs(block)
        reduced = dict(block.parameters)["UP"] == 0
        return replace(cost, flip_flops=cost.flip_flops + 5 * reduced)

    claim = area.halved(measured("KARY", "RUFT", cost=more))
    assert (claim.verdict, bool(claim.trouble)) == (FAILS, True)
    assert claim.measured.text.startswith("25% … 62% of a switch's")


def test_one_of_the_two_says_nothing() -> None:
    assert area.halved(measured("RUFT", cost=costs)).verdict == UNMEASURED
    assert area.halved(measured("KARY", cost=costs)).verdict == UNMEASURED
