"""The clock-exact model of a network of the bench, and the network beside it."""

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.flit.packets import Burst, FlitCaptured
from fattree_bench.bench.links.flit.sent import FlitPlan
from fattree_bench.families.xgft.compared import Compared
from fattree_bench.families.xgft.ruft import Ruft
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_models.xgft import wormhole

SWITCH = ("vcs", "depth", "stages", "ahead", "ways", "vc_mode", "classes", "arbiter", "width")
WAYS = ("climb", "tbch", "root_links", "lateral")


def model_of(network: XgftNetwork) -> wormhole.Network:
    """What `docs/wormhole.md` needs to know of it."""
    same = {name: getattr(network, name) for name in SWITCH}
    if isinstance(network, Ruft):
        return wormhole.Network(tree=network.wiring, long=network.long, **same)
    return wormhole.Network(
        tree=network.tree,
        tables=network.tables,
        folded=network.ports_levels if network.topology == "BENES" else None,
        routing=network.routing if network.tables is None else "TABLES",
        address=network.addresses_as,
        **same,
        **{name: getattr(network, name) for name in WAYS},
    )


class LinkCheck:
    """Runs the model beside the network, and compares all links in all clocks.

    After a difference the two go ways of their own: nothing more is told until the next reset.
    """

    def __init__(self, network: XgftNetwork) -> None:
        self.network, self.model = network, model_of(network)
        self.clocks = 0  # in which all links were compared
        self._agrees = False

    def check(self, captured: FlitCaptured) -> str:
        """Tell the first difference of the bursts up to this one; empty: there is none."""
        *idle, burst = captured.bursts
        found = [told for told in map(self._between, idle) if told]
        if self._agrees:
            found += [self._compare(captured, burst)]
        return found[0] if found else ""

    def _between(self, burst: Burst) -> str:
        """A burst in which nobody sends: of a reset, or in which tables are loaded."""
        resets = [] if burst.reset is None else [burst.reset]
        if not self._agrees:
            if resets:  # what was there before, nobody knows
                self._run = wormhole.Simulation(self.model, burst.seed)
                self._run.run(burst.clocks, resets, may_send=False, record=False)
                self._agrees = True
            return ""
        self._run.seed = burst.seed
        expected = self._run.hashed(burst.clocks, resets, may_send=False)
        if self._same(expected, burst):
            return ""
        return "after the last item, or in its reset, a link is not as the model says"

    def _compare(self, captured: FlitCaptured, burst: Burst) -> str:
        """A burst of an item."""
        run, plan = self._run, captured.item.plan
        if captured.first == 0:
            self._load(plan)
        if burst.closed:
            run.drop()
        before = run.registers()
        resets = [] if burst.reset is None else [burst.reset]
        if self._same(run.hashed(burst.clocks, resets, burst.stall), burst):
            return ""
        run.put_back(before)
        trace = run.run(burst.clocks, resets, burst.stall)
        assert trace is not None and captured.recorded is not None
        return Compared(self.network, plan, trace, captured.recorded()).tell()

    def _load(self, plan: FlitPlan) -> None:
        """Give the model the packets of an item."""
        answers, sent = plan.item.answers, plan.sent
        self._run.answer = wormhole.Answer(answers.flits, answers.limit) if answers else None
        corners = sent.words(np.arange(len(plan.seen.arrival))) if sent.corners else None
        self._run.load(plan.item.packets, corners)

    def _same(self, expected: npt.NDArray[np.uint64], burst: Burst) -> bool:
        """Whether the hashes of all links are those that were recorded."""
        seen = burst.hashes
        assert seen is not None
        self._agrees = bool((expected[: seen.size] == seen).all())
        self.clocks += burst.clocks * self._agrees
        return self._agrees
