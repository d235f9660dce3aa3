"""Calls that once gave a wrong answer, did not end, crashed, or failed without naming what."""

import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fattree_models import lbbvn, leiserson, ruft, topology, traffic, xgft
from fattree_models import lbbvn_switch as switch
from fattree_models.common.checks import check_integer, check_real
from fattree_models.common.fat_tree.tables import Tables
from fattree_models.spin.routers import Routers
from fattree_models.traffic import permutations
from fattree_models.turnback import Channel, Turnback, entries, next_channels, walk
from fattree_models.universality import boxes, cuts, elements, hosts, networks
from fattree_models.universality.routing import routed
from fattree_models.wormhole import Network
from fattree_models.wormhole.item import Answer
from fattree_models.wormhole.running import run
from fattree_models.xgft.optimum import Design
from tests.models.topology.fabrics import cables, fabric

i8: Any = np.int8
u8: Any = np.uint8
u64: Any = np.uint64
NAN, MOST = float("nan"), 2**63 - 1
TREE, BENES = xgft.Xgft((4, 4), (1, 2)), xgft.benes(4, 2)
NET = Turnback(xgft.Xgft((2, 2), (1, 2)), root_links=1)
PACKETS, WINDOW = traffic.Packets.of([0, 1, 2], [1, 2, 0], [0, 1, 2]), traffic.Window(0, 4, 5)
MANY = [2**62] * 3


def of(value: object) -> Any:
    """A value of a type that is not allowed."""
    return value


def array(*values: object) -> Any:
    return np.array(values)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def measured(**given: Any) -> traffic.Measurement:
    return traffic.measure(PACKETS, 3, [3, 4, 5], WINDOW, **given)


def tables(tree: xgft.Xgft, port: int = -1) -> Tables:
    """D-mod-k with an entry in the last level's switches."""
    *others, last = xgft.dmodk_tables(tree).ports
    return Tables(tree, (*others, np.full_like(last, port)))


def answered(limit: object) -> list[int]:
    network = Network(tree=TREE, classes=2)
    return run(network, PACKETS, of([30]), answer=Answer(3, of(limit))).fates.tail.tolist()


def stalled(clocks: object) -> list[int]:
    stall = np.zeros((400, 16), np.bool_)
    stall[200:] = True
    return run(Network(tree=TREE), PACKETS, of(clocks), stall=stall).fates.tail.tolist()


RIGHT: list[tuple[Callable[[], object], object]] = [
    (lambda: Design(of(np.array([6, 6], np.int8)), (1, 4)).cost, 744),
    (lambda: Design(of([4, 3]), of([1, 2])), Design((4, 3), (1, 2))),
    (lambda: cuts.share_of_bound(of(np.int32(3000)), 5), Fraction(125, 128)),
    (lambda: cuts.surface(i8(100), 1), 40000),
    (lambda: cuts.surface(2, u8(1)), 16),
    (lambda: boxes.sides(i8(7), 7), boxes.sides(7, 7)),
    (lambda: boxes.hypercube_outside(i8(9)), boxes.hypercube_outside(9)),
    (lambda: elements.volumes(i8(90)), elements.volumes(90)),
    (lambda: len(networks.hypercube(u64(64)).wires), 192),
    (lambda: hosts.deliver("TREE", of([0]), of([3]), u64(4)), hosts.Delivered(4, 1)),
    (lambda: answered(u8(2)), answered(2)),
    (lambda: stalled([u8(200), u8(200)]), stalled([200, 200])),
    (lambda: xgft.link_loads(TREE, [0], [1], "DMODK", [MOST]).busiest, MOST),
    (lambda: lbbvn.partial(rng(), [[1, 0]], of(Fraction(1))).tolist(), [[1, 0]]),
    (lambda: lbbvn.partial(rng(), [[1, 0]], of(np.array(1.0))).tolist(), [[1, 0]]),
    (lambda: lbbvn.lower_bound(of(np.array(2))).tolist(), lbbvn.lower_bound(2).tolist()),
    (lambda: leiserson.universal(of(np.array(64)), of(np.array(16)))[0], 16),
    (lambda: permutations.neighbor(16, of(np.array(4)))[3], 4),
    (lambda: type(Turnback(TREE, u8(2)).tbch), int),
]

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Design((4, 3), (1, -2)), "r: is -2; allowed are integers from 1"),
    (lambda: Design((4, 3), (1, 2, 4)), r"r: is \(1, 2, 4\); allowed are 2, each a multiple"),
    (lambda: Design((4, 3), (2, 3)), r"r: is \(2, 3\); allowed are 2, each a multiple"),
    (lambda: Design(of((4.5, 3)), (1, 2)), "s: is 4.5; allowed are integers from 1"),
    (lambda: xgft.cheapest(36, 2, top=2**31), "top: is 2147483648; allowed are integers 1 … 10000"),
    (lambda: leiserson.k_relation(8, 2**31, rng()), "k: is 2147483648; allowed are integers 0 … 6"),
    (lambda: routed(array(NAN, 1.0), array(0, 1), array([0, 1])), "column: has dtype float64"),
    (lambda: routed(array(-(2**31), 1), array(0, 1), array([0, 1])), "column: holds -2147483648"),
    (lambda: routed(array(0, 1), array(0, 1), array([0, 5])), "edges: holds 5; allowed are 0 … 1"),
    (lambda: routed(array(0, 1), array(0), array([0, 1])), "column, row, edges: have shapes"),
    (lambda: routed(array(0, 0), array(0, 0), array([0, 1])), "column, row, edges: two are alike"),
    (lambda: networks.random_matching(16, -2), "h: is -2; allowed are integers from 1"),
    (lambda: networks.hypercube(of(NAN)), "processors: is nan; allowed are powers of two"),
    (lambda: hosts.deliver("CUBE", of([-1]), of([2]), 4), "src: holds -1; allowed are 0 … 3"),
    (lambda: hosts.deliver("MESH", of([0, 1]), of([3]), 4), r"dst: has shape \(1,\), src \(2,\)"),
    (
        lambda: hosts.deliver("RING", of([0]), of([3]), 4),
        "host: is 'RING'; allowed are MESH, MULTI",
    ),
    (lambda: cuts.cut(networks.mesh2d(16), of(2)), "side: is 2; allowed are integers from 4"),
    (lambda: cuts.cut(networks.mesh2d(16), least=99), "least: is 99; allowed are integers 0 … 20"),
    (lambda: cuts.surface(1, 2**31), "depth: is 2147483648; allowed are integers 0 … 60"),
    (lambda: boxes.sides(True, 1), "height: is True; allowed are integers 0 … 256"),
    (lambda: boxes.sides(2**31, 2**31), "height: is 2147483648; allowed are integers 0 … 256"),
    (lambda: boxes.sides(3, float("inf")), "lg_root: is inf; allowed are 0 … 3"),
    (lambda: boxes.sides(3, 3, 0), "flattest: is 0; allowed are integers from 1"),
    (
        lambda: xgft.link_loads(TREE, [0] * 3, [1] * 3, "DMODK", MANY),
        "weight: sums to 138350580552",
    ),
    (lambda: xgft.route_loads(TREE, [0] * 3, [[1]] * 3, MANY), "weight: sums to 13835058055282163"),
    (
        lambda: ruft.link_loads(ruft.Ruft(2, 2), [0] * 3, [1] * 3, MANY),
        "weight: sums to 1383505805",
    ),
    (lambda: xgft.link_loads(TREE, [0], [1], "DMODK", [NAN]), "weight: holds what is not finite"),
    (lambda: measured(senders=4), "senders: is 4; allowed are integers 1 … 3"),
    (lambda: measured(hops=[-2, 1, 1]), "hops: holds -2; allowed are 0 … "),
    (
        lambda: traffic.history(PACKETS, of([3, 4]), WINDOW),
        r"arrived: has shape \(2,\); allowed is",
    ),
    (lambda: lbbvn.partial(rng(), [[1, 0]], of("1")), "load: is '1'; allowed are 0 … 1"),
    (lambda: traffic.pattern(of(b"uniform"), 4), "pattern: is b'uniform'; allowed is text"),
    (lambda: traffic.lengths(of(5)), "lengths: is 5; allowed is text"),
    (lambda: traffic.injection(of(None)), "injection: is None; allowed is text"),
    (lambda: check_real("load", of(np.array("1")), 0), "load: is array.'1', dtype='<U1'.; allowed"),
    (lambda: check_integer("n", of(np.array(2.0))), r"n: is array\(2.\); allowed are integers"),
    (lambda: NET.neighbour(-1, 0), "root: is -1; allowed are integers 0 … 1"),
    (lambda: NET.neighbour(0, 7), "number: is 7; allowed are integers 0 … 0"),
    (lambda: NET.ahead(5), "level: is 5; allowed are integers 0 … 2"),
    (lambda: walk(NET, 0, [[0, 0, 1, 1, 0]]), r"src, dst: have shape \(\); allowed is \[pairs\]"),
    (lambda: entries(NET, 0, 4), "dst: holds 4; allowed are 0 … 3"),
    (lambda: next_channels(NET, Channel("UP", 1, 0, 0), -1), "dst: is -1; allowed are integers 0"),
    (lambda: Network(tree=TREE, routing="TABLES", tables=tables(BENES)), "tables: are of another"),
    (
        lambda: Network(tree=TREE, routing="TABLES", tables=tables(TREE, 4)),
        "tables, level 2: holds 4",
    ),
    (lambda: Network(tree=TREE, folded=(4, 2)), r"folded: is \(4, 2\); allowed is the tree's"),
    (lambda: Network(tree=BENES, folded=of((4,))), r"folded: is \(4,\); allowed is the tree's"),
    (lambda: Network(tree=of(None)), "tree: is None; allowed are an Xgft or a Ruft"),
    (lambda: built(2.5), "port: is 2.5; allowed are integers -1 …"),
    (lambda: built(2), "has two cables in port 2 of s"),
    (
        lambda: topology.breaches(built(1), None, ports=of("a")),
        "ports: is 'a'; allowed are integers",
    ),
]


def built(port: object) -> topology.Fabric:
    return topology.build({}, [("h1", -1, "s", of(port)), ("s", 2, "h2", -1)])


@pytest.mark.parametrize("row", range(len(RIGHT)))
def test_what_is_answered(row: int) -> None:
    call, answer = RIGHT[row]
    assert call() == answer


@pytest.mark.parametrize("row", range(len(REFUSED)))
def test_what_is_refused(row: int) -> None:
    call, message = REFUSED[row]
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


@pytest.mark.parametrize("shape", [((2, 2, 2), (1, 2, 2)), ((4, 4, 3), (1, 2, 1))])
def test_any_cable_too_many_is_found(shape: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    """Between a switch of level 1 and one of level 2, also of another subtree."""
    links = cables(xgft.Xgft(*shape))
    names = [
        sorted({x for a, _, b, _ in links for x in (a, b) if x[:3] == w}) for w in ("lea", "agg")
    ]
    for ends in ((low, high) for low in names[0] for high in names[1]):
        broken = fabric([*links, (ends[0], -1, ends[1], -1)])
        ranked = topology.rank(broken)
        assert ranked is not None
        found = topology.repair(broken, ranked, topology.breaches(broken, ranked))
        assert found is not None and found.texts == (f"cable too many: {' – '.join(ends)}",), ends


def stepped() -> list[object]:
    """What compiled functions return."""
    found: list[object] = []
    tree, source = xgft.kary(2, 3), np.repeat(np.arange(8), 2)
    packets = traffic.Packets.of(source, (source + 1 + np.arange(16) % 7) % 8, 0, 3)
    for given in ({"routing": "ADAPTIVE"}, {"routing": "TBWP", "root_links": 2}, {"vcs": 4}):
        found.append(
            run(Network(tree=tree, **of(given)), packets, [30], hashed=True).hashes.tolist()
        )
    dst = lbbvn.random_messages(rng(), 9, 8, 0.9)
    for scheme in ("FOFF", "PADDED", "MAILBOX"):
        found.append(switch.Switch(switch.defaults(3, scheme)).run(dst).source.tolist())
    src, goal = leiserson.k_relation(16, 3, rng())
    for scheduler in ("THEOREM1", "BALANCED"):
        plan = leiserson.schedule(src, goal, leiserson.universal(16, 9), scheduler)
        found.append(plan.cycle.tolist())
    found.append([tuple(hosts.deliver(host, src, goal, 16)) for host in hosts.HOSTS])
    found.append(networks.hypercube(16).occupied())
    routers = Routers(16, True)
    for _ in range(9):
        shown = routers.shown()
        routers.step(np.ones(16, np.bool_), np.arange(16, dtype=np.uint64), np.ones(16, np.bool_))
        found.append((shown.word.tolist(), shown.credit.tolist()))
    return found


def test_kernels_can_be_stepped_through() -> None:
    """Without compilation they do the same."""
    code = "from tests.models.common.test_rough_calls import stepped; print(stepped())"
    plain = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert plain.stdout == f"{stepped()}\n", plain.stderr[-2000:]
