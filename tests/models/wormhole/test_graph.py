"""Any graph: parallel and slow cables, hosts with several, against the plain model."""

from typing import Any

import numpy as np
import pytest

from fattree_models import xgft
from fattree_models.topology import Fabric, Ranked, Routes, build, left_routes, numbered, rank
from fattree_models.traffic import Packets
from fattree_models.wormhole import Network, begun, difference
from fattree_models.wormhole.graph import Graph, graph
from fattree_models.wormhole.plain.leaf import Leaf
from fattree_models.wormhole.plain.network import Reference
from fattree_models.wormhole.plain.switch import Switch
from tests.models.topology.fabrics import cables
from tests.models.wormhole.cases import Burst, Case, compare, traffic

CLOCKS = 400


class SlowSwitch(Switch):
    """An output at rest is as one without credits, but only in switch allocation."""

    ratios: list[int]

    def reset(self) -> None:
        super().reset()
        self.rest = [0] * self.outs

    def _allocate_switch(self, *given: Any) -> dict[int, tuple[int, int]]:
        kept = [[vc.credit for vc in vcs] for vcs in self.outputs]
        for rest, vcs in zip(self.rest, self.outputs, strict=True):
            for vc in vcs:
                vc.credit *= rest == 0
        taken = super()._allocate_switch(*given)
        for credits, vcs in zip(kept, self.outputs, strict=True):
            for credit, vc in zip(credits, vcs, strict=True):
                vc.credit = credit
        sends = {out for out, _ in taken.values()}
        for out, ratio in enumerate(self.ratios):
            self.rest[out] = ratio - 1 if out in sends else max(0, self.rest[out] - 1)
        return taken


class SlowLeaf(Leaf):
    ratio = 1

    def reset(self) -> None:
        super().reset()
        self.rest = 0

    def _source(self, now: int, credits: set[int], may_send: bool) -> None:
        super()._source(now, credits, may_send and self.rest == 0)
        self.rest = self.ratio - 1 if self.sent else max(0, self.rest - 1)


class SlowReference(Reference):
    """The plain model with links that have ratios."""

    def __init__(self, network: Network, *more: Any) -> None:
        super().__init__(network, *more)
        ratio = network.tree.ratio.tolist()  # type: ignore[union-attr]
        for switch in self.switches:
            switch.__class__ = SlowSwitch
            switch.ratios, ratio = ratio[: switch.outs], ratio[switch.outs :]  # type: ignore[attr-defined]
        for leaf, own in zip(self.leaves, ratio, strict=True):
            leaf.__class__ = SlowLeaf
            leaf.ratio = own  # type: ignore[attr-defined]
        self._reset()


def routed(fabric: Fabric) -> tuple[Routes, Ranked]:
    ranked = rank(fabric)
    assert ranked is not None
    return left_routes(fabric, ranked, *numbered(fabric, ranked)), ranked


def network(tree: Graph, **more: Any) -> Network:
    return Network(tree=tree, tables=tree.tables, routing="TABLES", **more)


def drawn(rng: np.random.Generator) -> Graph:
    """Leaf switches below tops, with one to three cables each; some hosts have two."""
    leaves, tops = (int(x) for x in rng.integers(1, 4, size=2))
    links = [
        (f"h{x}", -1, f"leaf{x % leaves}", -1) for x in range(leaves + int(rng.integers(1, 5)))
    ]
    links += [("h0", -1, f"leaf{leaves - 1}", -1)] * int(rng.integers(2))
    for one in range(leaves):
        for other in range(tops):
            links += [(f"leaf{one}", -1, f"top{other}", -1)] * int(rng.integers(1, 4))
    kinds = {name: name[0] == "h" for link in links for name in link[::2]}  # type: ignore[index]
    fabric = build(kinds, links)
    slow = rng.choice([1, 1, 2, 3, 7], len(links)).astype(np.int64)
    return graph(*routed(fabric.of_speeds(slow)))


@pytest.mark.parametrize("seed", range(40))
def test_both_models_do_the_same(seed: int) -> None:
    """Every link, credit and state in every clock, resets and stalls included."""
    rng = np.random.default_rng(seed)
    tree, vcs = drawn(rng), int(rng.integers(1, 4))
    of = network(
        tree,
        vcs=vcs,
        depth=int(rng.integers(1, 6)),
        stages=int(rng.integers(1, 4)),
        ways=vcs if rng.random() < 0.3 else 1,
        arbiter=str(rng.choice(["ROUND_ROBIN", "MATRIX"])),
    )
    stall = rng.random((CLOCKS, tree.leaves)) < 0.2
    bursts = [Burst(50, [20, 21], None, True), Burst(CLOCKS, [], stall, True)]
    case = Case(of, 1, None, traffic(rng, tree.leaves, 60, 40, 9), bursts)
    assert compare(case, SlowReference) is None


def test_a_model_that_forgets_a_ratio_differs() -> None:
    tree = next(t for t in map(drawn, map(np.random.default_rng, range(9))) if t.ratio.max() > 1)

    class Forgets(SlowReference):
        def __init__(self, network: Network, *more: Any) -> None:
            super().__init__(network, *more)
            for each in self.switches:
                each.ratios = [1] * each.outs  # type: ignore[attr-defined]
            for leaf in self.leaves:
                leaf.ratio = 1  # type: ignore[attr-defined]

    packets = traffic(np.random.default_rng(2), tree.leaves, 60, 1, 9)
    case = Case(network(tree), 1, None, packets, [Burst(CLOCKS, [], None, True)])
    assert compare(case, Forgets) is not None


def test_a_tree_is_the_tree() -> None:
    """A fat-tree that is read from cables is, clock by clock, the XGFT with the same tables."""
    tree = xgft.Xgft((3, 4), (1, 2))
    routes, ranked = routed(build({}, cables(tree)))
    read = graph(routes, ranked)
    assert [(kind.nodes.size, kind.down, kind.up) for kind in read.kinds] == [(4, 3, 2), (2, 4, 0)]
    packets = traffic(np.random.default_rng(5), 12, 300, 200, 9)
    of_tree = Network(tree=tree, tables=xgft.dmodk_tables(tree), routing="TABLES")
    one, other = (begun(each, packets).run(1500) for each in (network(read), of_tree))
    assert one is not None and other is not None and difference(one, other) is None


@pytest.mark.parametrize("ratio", [1, 2, 5])
@pytest.mark.parametrize("slow", ["h0", "h1"])
def test_a_stream_over_a_slow_cable(ratio: int, slow: str) -> None:
    """Deep queues: a flit every `ratio` clocks, whether the first cable is slow or the last."""
    links = [("h0", -1, "s", -1), ("h1", -1, "s", -1)]
    fabric = build({"s": False, "h0": True, "h1": True}, links)
    own = np.array([ratio if link[0] == slow else 1 for link in links], np.int64)
    run = begun(network(graph(*routed(fabric.of_speeds(own))), depth=16), Packets.of(0, 1, 0, 40))
    run.run(500, record=False)
    head = 1 + (3 + 1)  # on the first link; a switch of three stages, and its link
    last = 1 + (1 + 1)  # flits behind the head have a route and a VC
    assert int(run.fates.head[0]) == head
    late = head if slow == "h1" or ratio == 1 else last
    assert int(run.fates.tail[0]) == 39 * ratio + late


def test_hosts_that_share_a_cable_are_refused() -> None:
    links = [("a", -1, "b", -1), ("a", -1, "s", -1), ("b", -1, "s", -1)]
    routes, ranked = routed(build({"a": True, "b": True, "s": False}, links))
    with pytest.raises(ValueError, match="a and b share a cable, and are hosts"):
        graph(routes, ranked)
