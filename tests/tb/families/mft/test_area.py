"""Routers that hold flits, or are too large, are trouble."""

from dataclasses import replace

import pytest

from fattree_bench.area.designs import KINDS
from fattree_bench.bench.claims import FAILS, HOLDS, UNMEASURED
from fattree_bench.families.design import Block, Cost
from fattree_bench.families.mft import area
from fattree_models import mft
from tests.tb.area.samples import measured


def costs(block: Block) -> Cost:
    """A bit an input of a router; its gates are those of a switch, by two."""
    if block.top == "mft_client":
        return Cost({}, 500.0, 40, 0, 1000, 7)
    if block.top == "mft_router":
        return Cost({}, 50.0, 2 + dict(block.parameters)["ABOVE"], 0, 0, 3)
    return Cost({}, 100.0, 10, 0, 10, 7)


def test_parts_are_those_of_the_model() -> None:
    for n in (1, 2, 3, 4):
        for mode in ("IMFT", "MFT"):
            (own,) = KINDS[mode].make(n)
            *routers, clients = own.nodes
            assert sum(node.copies for node in routers) == n * 2 ** (n - 1)
            assert [node.degree for node in routers] == mft.router_ports(n).sum(axis=1).tolist()
            assert clients.copies == 2**n
            lines = (mft.router_ports(n)[:, 1].sum() + 2) * 2 ** (n - 1)
            assert own.lanes == lines


def test_buffers_are_at_the_clients() -> None:
    (claim,) = area.judge(measured("IMFT", "MFT", "KARY", cost=costs))
    assert (claim.verdict, claim.trouble, claim.item) == (HOLDS, "", "S57")
    assert claim.measured.text == (
        "routers hold 0 bits of flits, at most 1.0 flip-flops an input; at most 50% of a switch's "
        "gates; clients 48\N{NO-BREAK SPACE}000 bits; N = 8, 16"
    )


@pytest.mark.parametrize(
    "more",
    [{"memory_bits": 1}, {"delay_bits": 34}, {"flip_flops": 400}, {"nand2": 100.0}],
    ids=lambda more: next(iter(more)),
)
def test_a_router_that_holds_flits_is_trouble(more: dict[str, float]) -> None:
    def changed(block: Block) -> Cost:
        cost = costs(block)
        return replace(cost, **more) if block.top == "mft_router" else cost

    (claim,) = area.judge(measured("IMFT", "KARY", cost=changed))
    assert (claim.verdict, bool(claim.trouble)) == (FAILS, True)


def test_one_of_the_two_says_nothing() -> None:
    for kind in ("IMFT", "KARY"):
        assert area.judge(measured(kind, cost=costs))[0].verdict == UNMEASURED
