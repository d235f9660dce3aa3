"""Port, driver and checks of a tree whose cables break: which packets are lost, the model says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import cast

import numpy as np
from pyuvm import uvm_component

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Finding, Where
from fattree_bench.bench.handles import root
from fattree_bench.bench.links.flit.packets import FlitCaptured, PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.port import FlitDriver, FlitPort
from fattree_bench.bench.links.flit.recorder import Recorded
from fattree_bench.bench.links.flit.scoreboard import RESET
from fattree_bench.bench.links.flit.sent import FlitLink, FlitOver, FlitPlan, Mask
from fattree_bench.bench.links.player import opened
from fattree_bench.bench.result import Quantity
from fattree_bench.bench.wormhole.compared import AtLeaves, Compared
from fattree_bench.bench.wormhole.exact import LinkCheck
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.plan import WormholePlan
from fattree_bench.bench.wormhole.poison import poison, without
from fattree_bench.bench.wormhole.scoreboard import WormholeScoreboard
from fattree_models import wormhole
from fattree_models.common.checks import BoolArray
from fattree_models.wormhole.faulty import CUT_SHORT, POISON, REASONS
from fattree_models.wormhole.faulty_run import FaultySimulation
from fattree_models.wormhole.outages import NEVER, Cables, Outages

BLOCK = "u_faults"


class FaultyPort(FlitPort):
    """Also tells which cables are dead, in which clocks of an item."""

    def __init__(self, network: Wormhole, transport: str) -> None:
        super().__init__(network, transport)
        ports, view = network.ways.inputs, transport == "view"
        self._memory = opened(network.rtl.top, BLOCK, view)
        self._fault = self._memory.memory("stim_fault", 2, ports * 32)
        self._block = getattr(root(), BLOCK)
        self._told: dict[str, int] = {}

    def outages(self, outages: Outages) -> None:
        """These break in each item."""
        for row, clocks in enumerate((outages.dead, outages.back)):
            words = clocks.astype("<u4").view(np.uint8)
            self._fault[row, : words.size] = words
        self._memory.flush("stim_fault", 2)
        self._tell("detect", outages.detect)

    @property
    def seed(self) -> int:
        """Of the switches."""
        return self._settled["seed"]

    def _tell(self, name: str, value: int) -> None:
        if self._told.get(name) != value:
            getattr(self._block, name).value = value
            self._told[name] = value

    async def burst(self, cycles: int) -> None:
        """Say which clock of the item the burst begins with."""
        self._tell("on", int(self.playing is not None))
        if self.playing is not None:
            self._tell("base", self.playing[1])
        await super().burst(cycles)


class FaultyDriver(FlitDriver):
    """Each item begins with a reset: what it broke is whole again."""

    async def play(self, item: PacketSet, playing: Playing) -> None:
        await super().play(item, playing)
        self.left = True


class FaultyCheck(LinkCheck):
    """Compares links with the model of a network that breaks, and tells what that loses."""

    outages: Outages

    def begun(self, seed: int) -> wormhole.Simulation:
        self.faulty = FaultySimulation(self.model, self.outages, seed)
        return cast(wormhole.Simulation, self.faulty)  # with all calls that are needed here

    def check(self, captured: FlitCaptured) -> Finding:
        found = super().check(captured)
        plan = captured.item.plan
        cut = bool(captured.bursts) and captured.bursts[-1].cut
        if isinstance(plan, FaultyPlan) and self._agrees and not cut:
            for packet, (clock, why) in self.faulty.lost.items():
                plan.lost[packet], plan.lost_in[packet] = REASONS.index(why), clock
            plan.seen.gone[plan.lost >= 0] = True
        return found

    @property
    def agrees(self) -> bool:
        """All was as the model says since the last reset."""
        return self._agrees

    def still(self) -> bool:
        """Nothing is under way in the model, or it is not known."""
        return not self._agrees or not self.faulty.inside

    def compared(
        self, plan: FlitPlan, trace: wormhole.Trace, seen: Recorded, leaves: AtLeaves
    ) -> Compared:
        """Poison is none of the flits of its packet."""
        poison = trace.index == POISON
        shown = replace(trace, index=np.where(poison, np.int16(0), trace.index))
        return FaultyCompared(self.network, plan, shown, seen, leaves, poison)


class FaultyCompared(Compared):
    """A burst with poison, whose trace has it as heads; [clocks, links] where it is."""

    def __init__(
        self,
        network: Wormhole,
        plan: FlitPlan,
        trace: wormhole.Trace,
        seen: Recorded,
        leaves: AtLeaves,
        poison: BoolArray,
    ) -> None:
        super().__init__(network, plan, trace, seen, leaves)
        links: int = seen.data.shape[1]
        self.poison = at = poison[:, :links]
        self.data[at] = 0
        self.marks[at] = (self.marks[at] & ~np.int64(3)) | 1

    def _told(self, row: int, link: int) -> str:
        told = super()._told(row, link)
        if not self.poison[row, link]:
            return told
        return told.replace("expected flit 0 of", "expected poison of", 1)


class FaultyPlan(WormholePlan):
    """An item whose packets may be lost: for what reason, -1 not, and when."""

    def __init__(self, network: Wormhole, link: FlitLink, item: PacketSet) -> None:
        super().__init__(network, link, item)
        self.lost = np.full(len(self.sent), -1)
        self.lost_in = np.full(len(self.sent), -1)


class FaultyPlaying(Playing):
    """An item is over when the rest of packets that are lost has gone as well."""

    check: FaultyCheck

    @property
    def complete(self) -> bool:
        return super().complete and self.check.still()


def foreseen(board: FaultyScoreboard, item: PacketSet, rng: np.random.Generator) -> FaultyPlaying:
    """An item; what a test expects of all packets does not hold where some are lost."""
    item.alone, item.check, item.busiest = False, None, False
    item.plan = FaultyPlan(board.network, board.link, item)
    playing = FaultyPlaying(item.plan, rng)
    playing.check = board.exact
    return playing


class FaultyScoreboard(WormholeScoreboard):
    """Expects that those packets are lost that the model loses, and these alone."""

    def __init__(self, name: str, parent: uvm_component, network: Wormhole) -> None:
        super().__init__(name, parent, network)
        self.exact: FaultyCheck = FaultyCheck(network)
        self.losses: Counter[str] = Counter()

    def received(self, plan: FaultyPlan, captured: FlitCaptured) -> FlitCaptured:
        """Poison ends a packet that is cut short: it must come when the model says so."""
        side = captured.side
        end = captured.first + len(side)
        due = (plan.lost == REASONS.index(CUT_SHORT)) & (plan.lost_in >= captured.first)
        due &= plan.lost_in < end
        expected = set(zip(plan.lost_in[due], plan.sent.destination[due], strict=True))
        clock, leaf = np.nonzero(poison(side))
        seen = set(zip((clock + captured.first).tolist(), leaf.tolist(), strict=True))
        differ = seen ^ {(int(a), int(b)) for a, b in expected}
        for when, where in sorted(differ) if self.exact.agrees else ():
            what = "ended" if (when, where) in seen else "did not end"
            told = f"clock {when}: poison {what} a packet at leaf {where}"
            self.faults.add(kind.UNPREDICTED, told, where=Where(when))
        return without(captured)

    def finish(self, over: FlitOver) -> None:
        """What is lost must not arrive as well."""
        plan = over.plan
        assert isinstance(plan, FaultyPlan)
        if not self.ended_early:
            for i in np.flatnonzero((plan.lost >= 0) & plan.seen.whole()):
                why = REASONS[plan.lost[i]]
                told = f"{plan.sent.name(i)} arrived; lost {why} in clock {plan.lost_in[i]}"
                self.blame(kind.UNPREDICTED, plan, i, told, int(plan.lost_in[i]))
        super().finish(over)

    def taken(self, plan: FaultyPlan) -> dict[str, Mask]:
        """Packets that are gone as foreseen, by why."""
        found: dict[str, Mask] = {why: plan.lost == k for k, why in enumerate(REASONS)}
        return {**found, RESET: plan.seen.gone & (plan.lost < 0)}

    def count(self, plan: WormholePlan, whole: Mask) -> None:
        """Keep the tally of what is lost."""
        super().count(plan, whole)
        assert isinstance(plan, FaultyPlan)
        for k, why in enumerate(REASONS):
            self.losses[why] += int(np.count_nonzero(plan.lost == k))
        self.tally.discarded -= int(np.count_nonzero(plan.lost >= 0))

    def figures(self) -> dict[str, Quantity]:
        """What broke, and whom that cuts."""
        outages: Outages = self.exact.outages
        cables = Cables(self.network.tree)
        dead = outages.dead != NEVER
        cut, up_down = cables.cut(dead & (outages.back == NEVER))
        lower = dead & ((cables.end < 0) | (cables.end > np.arange(dead.size)))
        return {
            "dead": Quantity(int(np.count_nonzero(lower)), "cables"),
            "cut": Quantity(cut, "pairs"),
            "cut_up_down": Quantity(up_down, "pairs"),
        }
