"""The environment of a switch with queues on the slot link."""

import json
from collections.abc import Iterable
from pathlib import Path

from fattree_bench.bench.environment import BenchEnv, outcome
from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.links.agent import Agent
from fattree_bench.bench.links.slot.classic import ClassicPort, ends
from fattree_bench.bench.links.slot.frame import SlotPins, SlotPort
from fattree_bench.bench.result import Head, Heads, Number, Quantity, Record, ScenarioResult, table
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.lbbvn.rows import settings_rows
from fattree_bench.families.lbbvn_switch.cells import CellFrame, Run
from fattree_bench.families.lbbvn_switch.coverage import CellCoverage
from fattree_bench.families.lbbvn_switch.feedback import Feedback
from fattree_bench.families.lbbvn_switch.measure import figures
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.plan import Predictor
from fattree_bench.families.lbbvn_switch.scoreboard import CellScoreboard
from fattree_bench.families.lbbvn_switch.traffic import drain

LEVELS: Heads = {
    "level": Head("level", "level"),
    "lanes_up": Head("lanes per channel", "lanes up"),
    "lanes_down": Head("lanes per channel", "down"),
    "busiest_up": Head("lanes", "most up"),
    "busiest_down": Head("lanes", "down"),
}


class CellEnv(BenchEnv):
    """Agent, model, scoreboard and coverage of a switch with queues."""

    scoreboard: CellScoreboard

    @staticmethod
    def port(network: LbbvnSwitch, agent: str, transport: str) -> SlotPins | ClassicPort:
        if agent == PASSIVE:
            return SlotPins(network, transport, CellFrame)
        return ClassicPort(network) if agent == "CLASSIC" else SlotPort(network, transport)

    def build_phase(self) -> None:
        network, port = self.bench.network, self.bench.port
        self.predictor = Predictor(network)
        self.agent = Agent.create("agent", self, port, self.predictor, *ends(port))
        self.scoreboard = CellScoreboard.create("scoreboard", self, network)
        self.feedback = Feedback(network, self.finish)
        self.measurements: list[Record] = []
        self.settings = 0  # rows of a SCHEDULED fabric, written before the first cell comes
        self.coverage = CellCoverage.create("coverage", self, network)

    def connect_phase(self) -> None:
        """A run is over before the scoreboard sees what follows it."""
        self.agent.monitor.ap.tell("feedback", self, self.feedback.write)
        super().connect_phase()

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        """Reset; a SCHEDULED fabric is programmed with the switch's schedule."""
        port, network = self.bench.port, self.bench.network
        await port.reset()
        if network.fabric.scheduled:
            settings = network.settings()
            self.settings = len(settings.loop)
            await port.program(len(settings.loop), settings_rows(settings))
            await port.reset()

    def closing(self) -> Iterable[CellFrame]:
        """Let everything out that will ever leave."""
        return drain(self.bench.network, self.feedback, self.watch)

    def finish(self, run: Run) -> None:
        """A measured run is over: note its figures, at once where `points` says."""
        found = figures(self.bench.network, run, self.scoreboard.tally.most)
        self.measurements.append(found)
        if self.bench.points and not self.scoreboard.faults:
            with Path(self.bench.points).open("a") as file:
                file.write(json.dumps(found) + "\n")

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        tally = self.scoreboard.tally
        return outcome(
            scenario,
            self,
            seconds,
            noun="cells",
            overtaken=self.scoreboard.promises.delivery.overtaken,
            steps=self.scoreboard.slots,
            sent=tally.sent,
            delivered=tally.delivered,
            losses=tally.losses(),
            figures=self._figures(),
            measurements=self.measurements,
            tables={"levels": table(LEVELS, self._levels())} if self.scoreboard.lanes else {},
        )

    def _levels(self) -> list[tuple[Number, ...]]:
        """Channels of the fabric, of the RTL: of both if there are two."""
        lanes = self.scoreboard.lanes
        pairs = ((j, up, lanes["down", j]) for (way, j), up in lanes.items() if way == "up")
        return [(j, up.lanes, down.lanes, up.busiest, down.busiest) for j, up, down in pairs]

    def _figures(self) -> dict[str, Quantity]:
        network, tally = self.bench.network, self.scoreboard.tally
        found = {
            "leaves": Quantity(network.leaves, "line cards"),
            "inside": Quantity(tally.inside, "cells"),
            "transit": Quantity(network.latency, "slots"),
        }
        if network.fabric.scheduled:
            found["settings"] = Quantity(self.settings, "rows")
        if network.scheme == "FOFF":
            found["most_resequenced"] = Quantity(tally.most, "cells")
            found["skipped"] = Quantity(tally.skipped, "cells")
        if network.scheme == "PADDED":
            found["fakes"] = Quantity(tally.fakes, "cells")
        if network.scheme == "MAILBOX":
            found["tries"] = Quantity(network.shape.tries, "places")
            found["refused"] = Quantity(tally.refused, "offers")
        return found


ENVIRONMENT = CellEnv
