"""Planted mistakes of cabling are found by name; and rules are broken by name."""

import random

import pytest

from fattree_models.topology import breaches, damage, match, rank, repair
from fattree_models.xgft import Xgft, kary
from tests.models.topology.fabrics import Cables, cables, crossed, fabric
from tests.models.topology.test_made_routes import ranked_of

TREES = [
    Xgft((4, 4, 4), (1, 4, 4)), Xgft((2, 2, 2, 2), (1, 2, 2, 2)), Xgft((4, 4, 3), (1, 2, 1)),
    Xgft((6, 6), (1, 3)),
]  # fmt: skip


def texts(links: Cables) -> tuple[str, ...]:
    """What was done wrong; the repaired fabric is a fat-tree."""
    broken = fabric(links)
    ranked = rank(broken)
    assert ranked is not None and match(broken, ranked) is None
    mended = repair(broken, ranked, breaches(broken, ranked))
    if mended is None:
        return ()
    again = rank(mended.fabric)
    assert again is not None and match(mended.fabric, again) is not None
    return mended.texts


def rules(links: Cables, **given: int) -> list[str]:
    broken = fabric(links)
    return [breach.rule for breach in breaches(broken, rank(broken), **given)]  # type: ignore[arg-type]


@pytest.mark.parametrize("tree", TREES)
def test_a_missing_cable(tree: Xgft) -> None:
    links = cables(tree)
    between = [k for k, cable in enumerate(links) if not cable[0].startswith("h")]
    for k in random.Random(1).sample(between, 3):
        a, _, b, _ = links[k]
        assert texts(links[:k] + links[k + 1 :]) == (f"missing cable: {a} – {b}",)


@pytest.mark.parametrize("tree", TREES)
def test_a_missing_host(tree: Xgft) -> None:
    links = cables(tree)
    assert texts(links[:1] + links[2:]) == (f"missing host: at {links[1][2]}",)


def test_crossed_cables() -> None:
    links = cables(kary(4, 3))
    place = {(a, b): k for k, (a, _, b, _) in enumerate(links)}
    for one, other in (
        (("leaf1", "agg1"), ("leaf6", "agg4")),  # of two pods
        (("agg1", "spine1"), ("agg6", "spine2")),  # to the wrong group of tops
        (("leaf1", "agg1"), ("leaf2", "agg2")),  # of one pod: two cables lead to one switch
    ):
        (output,) = texts(crossed(links, place[one], place[other]))
        assert output.startswith("crossed cables: ")
        wanted = output.split("should be ")[1]
        assert set(wanted.split(" and ")) == {" – ".join(one), " – ".join(other)}


def test_crossed_cables_of_two_levels() -> None:
    links = cables(kary(2, 3))
    place = {(a, b): k for k, (a, _, b, _) in enumerate(links)}
    (output,) = texts(crossed(links, place["h0", "leaf0"], place["agg0", "spine0"]))
    assert "should be h0 – leaf0 and agg0 – spine0" in output or "agg0 – spine0 and h0" in output


@pytest.mark.parametrize("ends", [("leaf0", "leaf1"), ("leaf0", "spine3"), ("leaf0", "agg5")])
def test_a_cable_too_many(ends: tuple[str, str]) -> None:
    links = [*cables(kary(4, 3)), (ends[0], -1, ends[1], -1)]
    assert texts(links) == (f"cable too many: {ends[0]} – {ends[1]}",)


def test_two_mistakes_apart() -> None:
    links = cables(kary(4, 3))
    place = {(a, b): k for k, (a, _, b, _) in enumerate(links)}
    gone = place["leaf4", "agg4"], place["agg0", "spine0"]
    output = texts([cable for k, cable in enumerate(links) if k not in gone])
    assert output == ("missing cable: leaf4 – agg4", "missing cable: agg0 – spine0")
    links = crossed(links, place["leaf1", "agg1"], place["leaf6", "agg4"])
    output = texts(crossed(links, place["leaf9", "agg9"], place["leaf14", "agg12"]))
    assert len(output) == 2 and all(each.startswith("crossed cables") for each in output)


def test_what_is_no_fat_tree_is_not_mended() -> None:
    ring = [(f"s{k}", -1, f"s{(k + 1) % 6}", -1) for k in range(6)]
    assert texts(ring + [(f"h{k}", -1, f"s{k}", -1) for k in range(6)]) == ()


TREE = cables(kary(2, 3))
SLIM = cables(Xgft((2, 2, 2), (1, 2, 1)))


def at(links: Cables, *ends: str) -> int:
    """The place of a cable, by one end or both."""
    return next(k for k, x in enumerate(links) if x[::2][: len(ends)] == ends)


PLANTED = {
    "CONNECTED": ([*cables(kary(2, 1)), ("hx", -1, "sx", -1)], "no way between"),
    "LEAF_RANK": ([*TREE, ("hx", -1, "spine0", 9)], "host hx hangs on spine0 port 9, higher"),
    "SAME_RANK": ([*TREE, ("agg0", -1, "agg1", -1)], "agg0 – agg1 joins two of level 2"),
    "UP_PORTS": ([cable for cable in TREE if cable[::2] != ("leaf3", "agg3")],
                 "switch leaf3 has 1 link up, its 3 peers have 2"),
    "DOWN_PORTS": ([*TREE, ("hx", -1, "leaf0", -1)], "switch leaf0 has 3 links down, its 3 peers"),
    "GROUP_SIZE": ([*TREE, ("leaf0", -1, "agg0", -1)],
                   "has not as many parallel links to each neighbour"),
    "ONE_WAY_DOWN": (crossed(TREE, at(TREE, "agg0", "spine0"), at(TREE, "agg3", "spine1")),
                     "two ways down to the same hosts"),
    "SUBTREES": (crossed(SLIM, at(SLIM, "leaf0"), at(SLIM, "leaf3")),
                 "shares some, not all, of its hosts with a peer"),
}  # fmt: skip


@pytest.mark.parametrize("rule", PLANTED)
def test_each_rule(rule: str) -> None:
    links, output = PLANTED[rule]
    broken = fabric(links)
    found = breaches(broken, rank(broken))
    assert any(breach.rule == rule and output in breach.text for breach in found), found
    assert rules(TREE) == []


def test_radix_and_opensm() -> None:
    broken = fabric(TREE)
    found = breaches(broken, rank(broken), "FAT_TREE", 3)
    assert {breach.rule for breach in found} == {"RADIX"}
    assert found[0].text.endswith("has 4 links, at most 3 fit")
    assert not breaches(broken, rank(broken), "FAT_TREE", 4)
    one = fabric(cables(kary(2, 1)))
    assert [breach.rule for breach in breaches(one, rank(one), "OPENSM")] == ["RANKS"]
    host_less = [cable for cable in TREE if cable[0] != "h1"]
    less = fabric(host_less)
    assert not breaches(less, rank(less), "OPENSM") and breaches(less, rank(less))


MUCH = [("agg9", "spine5"), ("agg9", "spine9"), ("agg12", "spine0"), ("leaf5", "agg6")]


def test_damage_beyond_repair_is_named_by_peers() -> None:
    """Cables that peers have, the switch that lost most first; too many ones last."""
    links = [x for x in cables(kary(4, 3), ports=True) if x[::2] not in MUCH]
    more = [("leaf3", 9, "agg2", 9), ("leaf2", 10, "agg15", 10)]
    of = fabric([*links, *more])
    found = damage(of, ranked_of(of))
    assert list(found.texts) == [
        *(f"missing: {a} – {b}, 0 of 1 there" for a, b in MUCH),
        "astray: leaf2 port 10 – agg15 port 10, where few peers have one",
        "doubled: leaf3 port 9 – agg2 port 9, 2 where peers have 1",
    ]
    ends = {(of.names[a], of.names[b]) for a, _, b, _ in found.whole.links.tolist()}
    assert ends >= set(MUCH) and len(found.whole.links) == len(links) + len(more) + len(MUCH)


@pytest.mark.parametrize("tree", [kary(4, 3), Xgft((6, 6), (1, 3))])
def test_a_whole_tree_has_no_damage(tree: Xgft) -> None:
    of = fabric(cables(tree, (1, 2, 1)[: tree.height]))
    assert damage(of, ranked_of(of)).texts == ()
