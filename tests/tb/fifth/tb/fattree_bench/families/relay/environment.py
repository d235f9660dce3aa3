"""What checks the relay: the model says who is heard, and every word is compared."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from fattree_bench.families.relay import cover
from fattree_bench.families.relay.network import Relay
from fattree_models.relay import relayed

from fattree_bench.bench import faults as kind
from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.environment import BenchEnv, Scoreboard, outcome
from fattree_bench.bench.links.agent import Agent, FrameMonitor
from fattree_bench.bench.links.slot.frame import Captured, SlotDriver, SlotFrame, SlotPort
from fattree_bench.bench.links.slot.traffic import drain
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus


def predict(item: SlotFrame) -> bool:
    """Attach who is heard at each output; nobody promises that there is no conflict."""
    item.plan = relayed(item.dst)
    return False


class RelayScoreboard(Scoreboard):
    """Expects each slot's packets one slot later."""

    def __init__(self, name: str, parent: Any, network: Relay) -> None:
        super().__init__(name, parent)
        self.network = network
        self.slots = self.sent = self.delivered = 0
        self._due = np.zeros((1, network.leaves), np.bool_)  # in the next slot
        self._words = np.zeros(self._due.shape, network.payload.dtype)

    def write(self, captured: Captured) -> None:
        item, leaves = captured.item, self.network.leaves
        source = item.plan
        words = self.network.payload.frame(item.slots, item.sequence)
        heard = np.take_along_axis(words, np.maximum(source, 0), axis=1)
        due = np.concatenate([self._due, source >= 0])
        rows = np.concatenate([self._words, np.where(source >= 0, heard, 0)])
        self._due, self._words = due[-1:], rows[-1:]
        valid = np.unpackbits(captured.valid, axis=1, count=leaves, bitorder="little") > 0
        wrong = (rows[:-1] != captured.data) | (due[:-1] != valid)
        for slot, leaf in np.argwhere(wrong).tolist():
            found = kind.CORRUPTED if due[slot, leaf] else kind.SPURIOUS
            name = found if valid[slot, leaf] else kind.LOST
            where = f"leaf {leaf} in slot {item.sequence + slot}"
            self.faults.add(name, f"{where}: {captured.data[slot, leaf]:#x}")
        self.slots += item.slots
        self.sent += int(np.count_nonzero(item.dst >= 0))
        self.delivered += int(np.count_nonzero(source >= 0))
        expected = [self.sent, self.sent - self.delivered]
        if item.family == "drain" and captured.counters.tolist() != expected:
            self.faults.add(kind.COUNTERS, f"sent, lost: {captured.counters}, not {expected}")
        self.checked.write(item)


class RelayCoverage(Coverage):
    """Counts what was tried."""

    def __init__(self, name: str, parent: Any, network: Relay) -> None:
        super().__init__(name, parent, cover.groups(network))

    def sample(self, item: SlotFrame, plan: Any, times: int) -> None:
        row, source = np.nonzero(item.dst >= 0)
        self.add(cover.PAIRS, times, source, item.dst[row, source])
        lost = np.count_nonzero(item.dst >= 0, axis=1) - np.count_nonzero(plan >= 0, axis=1)
        self.add(cover.LOST, times, np.minimum(lost, 2))


class RelayEnv(BenchEnv):
    """Agent, scoreboard and coverage of the relay."""

    scoreboard: RelayScoreboard

    @staticmethod
    def port(network: Relay, agent: str, transport: str) -> SlotPort:
        return SlotPort(network, transport)

    def build_phase(self) -> None:
        network, port = self.bench.network, self.bench.port
        self.agent = Agent(
            "agent",
            self,
            lambda agent: SlotDriver("driver", agent, port, predict),
            lambda agent: FrameMonitor("monitor", agent, port),
        )
        self.scoreboard = RelayScoreboard("scoreboard", self, network)
        self.coverage = RelayCoverage("coverage", self, network)

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        await self.bench.port.reset()

    def closing(self) -> Iterable[SlotFrame]:
        return [drain(self.bench.network)]

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        board = self.scoreboard
        return outcome(
            scenario,
            self,
            seconds,
            steps=board.slots,
            sent=board.sent,
            delivered=board.delivered,
            losses={"in conflicts": board.sent - board.delivered},
        )


ENVIRONMENT = RelayEnv
