"""Which fat-tree a fabric is, against networkx's search for isomorphisms."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.topology import Fabric, Match, build, kinds, match, natural, rank, slimming
from fattree_models.xgft import Xgft, ftree_mn, gft, kary
from tests.models.topology.fabrics import cables, crossed, fabric, scrambled
from tests.models.xgft.brute_xgft import graph as definition

SMALL = st.integers(1, 3).flatmap(
    lambda h: st.tuples(
        st.lists(st.integers(1, 3), min_size=h, max_size=h),
        st.lists(st.integers(1, 3), min_size=h, max_size=h),
        st.lists(st.integers(1, 2), min_size=h, max_size=h),
    )
)


def found(of: Fabric) -> Match | None:
    ranked = rank(of)
    assert ranked is not None
    return match(of, ranked)


@given(SMALL, st.integers(0, 99))
def test_every_tree_is_recognised(shape: tuple[list[int], ...], seed: int) -> None:
    m, w, p = map(tuple, shape)
    tree = Xgft(m, w)
    if tree.leaves < 2:
        return
    known = found(fabric(scrambled(cables(tree, p), seed)))
    assert known is not None
    assert known.tree == tree and known.parallel == p
    assert [len(known.nodes(level)) for level in range(tree.height + 1)] == [
        tree.level_size(level) for level in range(tree.height + 1)
    ]


@settings(max_examples=40)
@given(
    st.sampled_from([((2, 2, 2), (1, 2, 2)), ((2, 2, 2), (1, 2, 1)), ((3, 2), (1, 2))]), st.data()
)
def test_as_networkx_says_of_crossed_cables(
    shape: tuple[tuple[int, ...], tuple[int, ...]], data: st.DataObject
) -> None:
    """An exchange may make another drawing of the same tree."""
    tree = Xgft(*shape)
    links = cables(tree)
    pairs = [
        (i, j)
        for i, a in enumerate(links)
        for j, b in enumerate(links[:i])
        if a[0].rstrip("0123456789") == b[0].rstrip("0123456789")
    ]
    other = fabric(crossed(links, *data.draw(st.sampled_from(pairs))))
    ranked = rank(other)
    graph = nx.MultiGraph((other.names[a], other.names[b]) for a, _, b, _ in other.links.tolist())
    same = nx.is_isomorphic(graph, nx.MultiGraph(definition(tree)))
    assert (ranked is not None and match(other, ranked) is not None) == same


def test_numbers_follow_names() -> None:
    known = found(fabric(scrambled(cables(kary(3, 3)), 5)))
    assert known is not None
    names = fabric(scrambled(cables(kary(3, 3)), 5)).names
    first = [names[node] for node in known.nodes(0)[:3]]
    assert first == sorted(first, key=natural)
    assert natural("h2") < natural("h10")


@pytest.mark.parametrize(
    ("tree", "parallel", "names"),
    [
        (kary(4, 3), (), ["XGFT(3; 4,4,4; 1,4,4)", "4-ary 3-tree"]),
        (ftree_mn(4, 2), (), ["XGFT(2; 2,4; 1,2)", "FT(4, 2), the 4-port 2-tree"]),
        (gft(2, 3, 2), (), ["XGFT(2; 3,3; 2,2)", "GFT(2, 3, 2)"]),
        (Xgft((4, 3), (1, 2)), (1, 2), ["PGFT(2; 4,3; 1,2; 1,2)"]),
    ],
)
def test_names_of_families(tree: Xgft, parallel: tuple[int, ...], names: list[str]) -> None:
    known = found(fabric(cables(tree, parallel)))
    assert known is not None and kinds(known) == names


def test_what_is_slim() -> None:
    known = found(fabric(cables(Xgft((6, 6), (1, 4)))))
    assert known is not None
    assert slimming(known) == ["slimmed 1.5:1 at level 1: 6 links down, 4 up"]
    full = found(fabric(cables(Xgft((4, 4), (1, 2)), (1, 2))))
    assert full is not None and slimming(full) == []


def test_what_is_no_fabric() -> None:
    with pytest.raises(ValueError, match="has no link"):
        build({}, [])
    with pytest.raises(ValueError, match="has 0 hosts and 3 switches"):
        build({}, [("a", -1, "b", -1), ("b", -1, "c", -1), ("c", -1, "a", -1)])
    with pytest.raises(ValueError, match="has 65537 hosts; at most 65536"):
        build({}, [(f"h{k}", -1, "s", -1) for k in range(65537)])
    assert rank(fabric([("h1", -1, "s1", -1), ("h2", -1, "s2", -1)])) is None
