"""The clock-exact model of a network of the bench, compared with the network."""

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Finding
from fattree_bench.bench.links.flit.packets import Burst, FlitCaptured
from fattree_bench.bench.links.flit.recorder import Recorded
from fattree_bench.bench.links.flit.sent import FlitPlan
from fattree_bench.bench.wormhole.compared import AtLeaves, Compared
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.places import differing
from fattree_bench.bench.wormhole.states import States
from fattree_models import wormhole
from fattree_models.common.checks import UInt64Array

SWITCH = ("vcs", "depth", "stages", "ahead", "ways", "vc_mode", "classes", "arbiter")


def model_of(network: Wormhole) -> wormhole.Network:
    """What `docs/wormhole.md` needs to know of it."""
    same = {name: getattr(network.switch, name) for name in SWITCH}
    return network.model(width=network.width, **same)


NONE = Finding("", "")


class LinkCheck:
    """Runs the model next to the network, and compares all links and states in all clocks.

    After a difference of links the two diverge: nothing more is reported until the next
    reset.  After one of states alone, links are compared on.
    """

    def __init__(self, network: Wormhole) -> None:
        self.network, self.model = network, model_of(network)
        self.clocks = 0  # in which all links were compared
        self._agrees = self._shows = False

    def check(self, captured: FlitCaptured) -> Finding:
        """Tell the first difference of the bursts up to this one: its kind, and where it is.

        Both are empty if there is none.
        """
        *idle, burst = captured.bursts
        found = [self._between(each) for each in idle]
        if self._agrees:
            found += [self._compare(captured, burst)]
        return next((one for one in found if one != NONE), NONE)

    def begun(self, seed: int) -> wormhole.Simulation:
        """The model, before the first reset."""
        return wormhole.Simulation(self.model, seed)

    def _between(self, burst: Burst) -> Finding:
        """A burst without packets: of a reset, or in which tables are loaded."""
        if not self._agrees:
            if burst.resets:  # what was there before is unknown
                self._run = self.begun(burst.seed)
                self._run.run(burst.clocks, burst.resets, may_send=False, record=False)
                self._agrees = self._shows = True
            return NONE
        self._run.seed = burst.seed
        expected = self._run.hashed(burst.clocks, burst.resets, may_send=False)
        when = "after the last item, or in its reset,"
        if not self._same(expected, burst):
            return Finding(
                kind.LINK, f"{when} {differing(self.network, self.differ)} differ from the model"
            )
        if not self._alike(burst):
            told = f"{when} a switch shows another state than the model says"
            return Finding(kind.STATE, told)
        return NONE

    def _compare(self, captured: FlitCaptured, burst: Burst) -> Finding:
        """A burst of an item."""
        run, plan = self._run, captured.item.plan
        if captured.first == 0:
            self._load(plan)
        if burst.closed:
            run.drop()
        before = run.registers()
        same = False
        if not burst.cut:
            same = self._same(run.hashed(burst.clocks, burst.resets, burst.stall), burst)
            if same and self._alike(burst):
                return NONE
            run.put_back(before)
        trace = run.run(burst.clocks, burst.resets, burst.stall)
        assert trace is not None and captured.recorded is not None
        seen = captured.recorded()
        if same:
            states = States(self.network, run.view)
            told = states.tell(trace, seen.states)
            return Finding(states.kind, told, states.where)
        leaves = AtLeaves(burst.resets, captured.side, captured.data)
        links = self.compared(plan, trace, seen, leaves)
        example = links.tell()
        if not example and burst.cut:
            return NONE
        example = example or f"{differing(self.network, self.differ)} differ from the model"
        return Finding(kind.PLAYER if links.played else links.kind, example, links.where)

    def compared(
        self, plan: FlitPlan, trace: wormhole.Trace, seen: Recorded, leaves: AtLeaves
    ) -> Compared:
        """The burst, as the model says it and as it was recorded."""
        return Compared(self.network, plan, trace, seen, leaves)

    def _load(self, plan: FlitPlan) -> None:
        """Give the model the packets of an item."""
        answers, sent = plan.item.answers, plan.sent
        self._run.answer = wormhole.Answer(answers.flits, answers.limit) if answers else None
        corners = sent.words(np.arange(len(plan.seen.arrival))) if sent.corners else None
        self._run.load(plan.item.packets, corners)

    def _same(self, expected: UInt64Array, burst: Burst) -> bool:
        """Whether the hashes of all links are those that were recorded."""
        seen = burst.hashes
        assert seen is not None
        self.differ = np.flatnonzero(expected != seen)
        self._agrees = not self.differ.size
        self.clocks += burst.clocks * self._agrees
        return self._agrees

    def _alike(self, burst: Burst) -> bool:
        """Whether what was shown is what the model shows; once it is not, it need not be."""
        if not self._shows:
            return True
        self._shows = bool((self._run.total == burst.total).all())
        return self._shows
