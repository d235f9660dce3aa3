"""Tests that fit any foreign design; those of a promise run where it is given."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.promises import Findings
from fattree_bench.bench.links.flit.scenarios import PacketSequence, flit_scenarios
from fattree_bench.bench.links.flit.sequences import Uniform
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.foreign.handshakes import handshakes, no_ready
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.families.foreign.plan import ForeignPlan
from fattree_bench.families.foreign.traffic import SENDERS, ForeignSet, lengths, spread, taken
from fattree_bench.families.foreign.values import fits, values
from fattree_models.traffic import Packets

PAIRS = 4096  # packets that go alone, at most
SETTLE = 64  # clocks besides its words that a packet alone has for itself, unless more are asked

SCENARIOS = flit_scenarios(SENDERS, "uniform", "payloads", "bursts")
scenario = SCENARIOS.add
scenario(unless=no_ready)(handshakes)
scenario(unless=fits)(values)


def few(network: ForeignNetwork) -> int:
    """A usual length."""
    return network.design.flits[:4][-1]


@scenario(alone=True)
def each_pair(s: Stimulus) -> Iterator[PacketSet]:
    """A packet alone, from every input to every output: its way is free."""
    network = s.network
    source, destination = np.nonzero(network.design.legal)
    if len(source) > min(PAIRS, 2 * s.rows):
        chosen = s.rng.permutation(len(source))[: min(PAIRS, 2 * s.rows)]
        source, destination = source[chosen], destination[chosen]
    flits = s.rng.choice(network.design.flits, len(source))
    promised = network.design.said.promises.latency
    own = max(SETTLE, 2 * int(promised.most or promised.least) if promised else 0)
    apart = own + network.design.words_a_flit * max(network.design.flits)
    packets = Packets.of(source, destination, apart * np.arange(len(source)), flits)
    yield ForeignSet(packets, "each pair", alone=True)


@scenario()
def permutations(s: Stimulus) -> Iterator[PacketSet]:
    """Every leaf sends to one other, and no two to the same: complement, shifts, a random one."""
    network = s.network
    leaves = np.arange(network.leaves)
    steps = sorted(s.rng.permutation(leaves)[:4])
    goals = {"complement": leaves[::-1], "at random": s.rng.permutation(leaves)}
    goals |= {f"shift by {step}": np.roll(leaves, -step) for step in steps}
    for name, goal in goals.items():
        source = np.repeat(leaves, max(2, s.rows // 64))
        drawn = Packets.of(source, goal[source], 0, few(network))
        packets = taken(network, drawn)
        told = f", {len(packets)} of {len(drawn)} packets legal" * (len(packets) < len(drawn))
        if len(packets):
            yield ForeignSet(packets, f"permutation, {name}{told}")


@scenario()
def hot_spot(s: Stimulus) -> Iterator[PacketSet]:
    """Half of all packets go to one output, the others anywhere."""
    packets = spread(s.rng, s.network, "uniform", lengths(s.network), 0.5, s.rows)
    one, legal = int(s.rng.integers(s.network.design.outputs)), s.network.design.legal
    hot = (s.rng.random(len(packets)) < 0.5) & legal[packets.source, one]
    goal = np.where(hot, one, packets.destination)
    yield ForeignSet(Packets.of(packets.source, goal, packets.release, packets.flits), "hot spot")


@scenario()
def all_to_one(s: Stimulus) -> Iterator[PacketSet]:
    """Every input sends to one output without an end; if fairness is promised, all get on."""
    network, design = s.network, s.network.design
    goals = s.rng.permutation(np.flatnonzero(design.legal.any(axis=0)))[:2]
    each = max(16, s.rows // (4 * design.inputs * few(network)))
    for goal in goals:
        source = np.repeat(np.arange(design.inputs), each)
        packets = taken(network, Packets.of(source, int(goal), 0, few(network)))
        check = fair if design.said.promises.fairness is not None else None
        yield ForeignSet(packets, f"all to {goal}", check=check)


def fair(plan: ForeignPlan) -> Findings:
    """While all still have packets, each sender gets its share of the output."""
    least = plan.network.design.said.promises.fairness
    sent, tails = plan.sent, plan.seen.tails()
    if least is None or (tails < 0).any() or not len(tails):
        return
    sources = np.unique(sent.source)
    ends = [int(tails[sent.source == one].max()) for one in sources]
    starts = [int(tails[sent.source == one].min()) for one in sources]
    begin, end = min(starts), min(ends)
    inside = (tails >= begin) & (tails <= end)
    got = np.array([np.count_nonzero(inside & (sent.source == one)) for one in sources])
    share = got.sum() / len(sources)
    for one, count in zip(sources, got, strict=True):
        if count < int(least * share):
            told = f"{count} packets in clocks {begin} … {end}, a fair share is {share:.1f}"
            yield kind.UNFAIR, f"{plan.item.family}: input {one} got through {told}"


@scenario()
def pauses(s: Stimulus) -> Iterator[PacketSet]:
    """Senders pause between words, receivers between takes; or they wait for valid."""
    for gap, hold, shy in ((0.3, 0, False), (0, 0.3, False), (0.6, 0.7, False), (0.1, 0.1, True)):
        packets = spread(s.rng, s.network, "uniform", lengths(s.network), 0.6, s.rows)
        held = hold * s.network.design.can_wait
        name = f"pauses, gap {gap:g}, hold {held:g}{', receivers wait' if shy else ''}"
        yield ForeignSet(packets, name, gap=gap, hold=held, shy=shy)


def cannot_wait(network: ForeignNetwork) -> str | None:
    """Why `stalls` cannot run, or None."""
    return None if network.design.can_wait else "its receivers cannot make it wait"


@scenario(unless=cannot_wait)
def stalls(s: Stimulus) -> Iterator[PacketSet]:
    """Some outputs take nothing for long, so that all before them fills up."""
    for share, part in ((0.5, 1), (0.95, 5)):
        packets = spread(s.rng, s.network, "uniform", lengths(s.network), 0.7, s.rows // part)
        stall = np.where(s.rng.random(s.network.leaves) < 0.5, share, 0.1)
        yield ForeignSet(packets, f"stalls, {share:g} of the clocks", stall=stall)


@scenario()
async def shortest(s: PacketSequence) -> None:
    """The shortest packets, one straight behind the other."""
    await _alike(s, "shortest", min(s.network.design.flits))


@scenario()
async def longest(s: PacketSequence) -> None:
    """The longest packets."""
    await _alike(s, "longest", max(s.network.design.flits))


async def _alike(s: PacketSequence, told: str, flits: int) -> None:
    """Packets of one length, at two loads."""
    for load in (0.3, 1.0):
        await s.do(Uniform(f"{told} packets, load {load:g}", lengths=str(flits), load=load))


def no_reset(network: ForeignNetwork) -> str | None:
    """Why `reset` cannot run, or None."""
    said = network.design.said
    if not said.reset.name:
        return "there is no reset"
    return None if said.promises.reset else "it needs promises.reset = true"


@scenario(unless=no_reset)
async def reset(s: PacketSequence) -> None:
    """A reset under load: what is inside is gone, what comes later arrives."""
    for clock in (0, 50, int(s.rng.integers(51, max(52, s.rows // 2)))):
        await s.do(Uniform("reset under load", load=0.6, reset=clock))


def accepts_nothing(network: ForeignNetwork) -> str | None:
    """Why `accepted` cannot run, or None."""
    said = network.design.said.promises.accepts
    return None if said else "it needs promises.accepts, as { uniform = 0.4 }"


@scenario(unless=accepts_nothing)
def accepted(s: Stimulus) -> Iterator[PacketSet]:
    """All that leaves can send, measured: the design accepts what it promises."""
    for pattern, least in s.network.design.said.promises.accepts.items():
        item = SENDERS.measured(s.rng, s.network, pattern, 1.0)

        def check(plan: ForeignPlan, pattern: str = pattern, least: float = least) -> Findings:
            found = plan.item.measurement
            words = plan.network.design.words_a_flit
            rate = 0.0 if found is None else float(found.figures()["accepted"]) * words
            if rate < least:
                told = f"{pattern}: {rate:.3f} words per leaf and clock, {least:g} are promised"
                yield kind.ACCEPTED, told

        item.check = check
        yield item
