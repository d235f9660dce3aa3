"""Networks and traffic of all kinds, for hypothesis; runs of both models side by side."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from fattree_models import xgft
from fattree_models.benes import benes_tables
from fattree_models.common.checks import BoolArray
from fattree_models.ruft.routing import Ruft
from fattree_models.traffic import Packets
from fattree_models.wormhole import Answer, Difference, Network, Simulation, difference
from fattree_models.wormhole.plain.network import Reference

TREES = (xgft.kary(2, 1), xgft.kary(2, 3), xgft.Xgft((3, 2), (1, 2)), xgft.gft(2, 2, 2))
ROOTED = (xgft.kary(2, 2), xgft.gft(2, 2, 2), xgft.kary(2, 3))
CHOICES = ("DMODK", "SMODK", "RANDOM", "ADAPTIVE", "TWO", "ECMP", "RR", "FLOWLET", "DRILL")


@dataclass(frozen=True, eq=False)
class Burst:
    """Clocks, rows of resets, stalls, whether flits may be sent."""

    clocks: int
    resets: list[int]
    stall: BoolArray | None
    may_send: bool


@dataclass(frozen=True, eq=False)
class Case:
    """A network, its seed, how it answers, and what is done to it."""

    network: Network
    seed: int
    answer: Answer | None
    packets: Packets
    bursts: list[Burst]


def _tree(draw: st.DrawFn) -> dict[str, object]:
    """Draw a tree, and where packets go in it."""
    kind = draw(st.sampled_from(("tree", "turnback", "ruft", "tables", "unfolded")))
    if kind == "tree":
        routing, climb = draw(st.sampled_from(CHOICES)), draw(st.sampled_from(("NCA", "TOP")))
        own = {"salt": draw(st.sampled_from(("OWN", "SAME"))), "gap": draw(st.integers(0, 20))}
        own |= {"entries": draw(st.integers(1, 9)), "tree": draw(st.sampled_from(TREES))}
        return {"routing": routing, "climb": climb, **own}
    if kind == "turnback":
        return {
            "tree": draw(st.sampled_from(ROOTED)),
            "routing": draw(st.sampled_from(("TB", "TBWP"))),
            "tbch": draw(st.integers(1, 3)),
            "root_links": draw(st.integers(0, 3)),
            "lateral": draw(st.sampled_from(("1", "MANY"))),
        }
    if kind == "ruft":
        return {"tree": Ruft(2, draw(st.integers(1, 3))), "long": draw(st.integers(0, 5))}
    made: dict[str, object] = {"tree": xgft.ftree_mn(4, 2), "routing": "TABLES"}
    if kind == "tables":
        return made | {"tables": xgft.mlid_tables(4, 2)}
    return made | {"tables": benes_tables(4, 2), "folded": (4, 2)}


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Draw a network."""
    vcs = draw(st.integers(1, 4))
    return Network(
        **_tree(draw),  # type: ignore[arg-type]
        vcs=vcs,
        ways=draw(st.sampled_from([ways for ways in range(1, vcs + 1) if vcs % ways == 0])),
        classes=draw(st.integers(1, min(vcs, 2))),
        depth=draw(st.integers(1, 9)),
        stages=draw(st.integers(1, 3)),
        ahead=draw(st.integers(0, 1)),
        vc_mode=draw(st.sampled_from(("ANY", "KEEP"))),
        arbiter=draw(st.sampled_from(("ROUND_ROBIN", "MATRIX"))),
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw a case; what is dense in it comes of one generator."""
    network, rng = draw(networks()), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    answer = draw(st.none() | st.builds(Answer, st.integers(1, 4), st.integers(1, 4)))
    last, longest = draw(st.sampled_from((1, 40))), draw(st.sampled_from((1, 9)))
    bursts = []
    for clocks in draw(st.lists(st.sampled_from((1, 6, 40)), min_size=1, max_size=5)):
        resets = np.flatnonzero(rng.random(clocks) < draw(st.sampled_from((0.0, 0.03)))).tolist()
        share = draw(st.sampled_from((None, 0.3)))
        stall = None if share is None else rng.random((clocks, network.leaves)) < share
        bursts.append(Burst(clocks, resets, stall, draw(st.integers(0, 9)) > 0))
    packets = traffic(rng, network.leaves, 60, last, longest)
    return Case(network, draw(st.integers(0, 2**32 - 1)), answer, packets, bursts)


def traffic(
    rng: np.random.Generator, leaves: int, packets: int, last: int, longest: int
) -> Packets:
    """Draw packets between any leaves, in the first clocks, of both kinds."""
    ends = rng.integers(leaves, size=(2, packets))
    release, flits = rng.integers(last, size=packets), rng.integers(1, longest + 1, size=packets)
    return Packets.of(*ends, release, flits, rng.integers(2, size=packets))


def compare(case: Case, reference: type[Reference] = Reference) -> Difference | None:
    """Run both models; return where they differ first."""
    ours = reference(case.network, case.seed, case.answer)
    fast = Simulation(case.network, case.seed, case.answer)
    for model in (ours, fast):
        model.load(case.packets)
    for burst in case.bursts:
        given = (burst.clocks, burst.resets, burst.stall, burst.may_send)
        expected, seen = ours.run(*given), fast.run(*given)
        assert seen is not None
        found = difference(expected, seen)
        if found:
            return found
        for name in ("began", "head", "tail"):
            assert (getattr(ours.fates, name) == getattr(fast.fates, name)).all(), name
    return None
