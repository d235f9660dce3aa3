"""The environment of a network on the slot link: frame agent or classic agent, predictor."""

from collections.abc import Iterable

import numpy as np

from fattree_bench.bench.environment import BenchEnv, outcome
from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.lanes import Level
from fattree_bench.bench.links.agent import Agent
from fattree_bench.bench.links.slot.classic import ClassicPort, ends
from fattree_bench.bench.links.slot.frame import SlotFrame, SlotPins, SlotPort
from fattree_bench.bench.links.slot.traffic import drain
from fattree_bench.bench.result import Head, Heads, Number, Quantity, ScenarioResult, Table, table
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.lbbvn.coverage import SlotCoverage
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.own import figures, needs, untitled
from fattree_bench.families.lbbvn.plan import Plan, led_by_schedule, make_plan, rows_of
from fattree_bench.families.lbbvn.rows import settings_rows
from fattree_bench.families.lbbvn.scoreboard import SlotScoreboard
from fattree_models import lbbvn
from fattree_models.common.checks import Int32Array, Int64Array
from fattree_models.lbbvn import Settings

LEVELS: Heads = {
    "level": Head("level", "level", "leaf"),
    "lanes_up": Head("lanes per channel", "lanes up"),
    "lanes_down": Head("lanes per channel", "down"),
    "below": Head("lanes down from a node", "below"),
    "bound": Head("lanes per channel", "bound"),
    "nonblocking": Head("lanes per channel", "nonblocking"),
    "busiest_up": Head("lanes", "most up"),
    "busiest_down": Head("lanes", "down"),
    "conflicts_up": Head("packets", "lost up"),
    "conflicts_down": Head("packets", "down"),
}


class Predictor:
    """Knows what the network will do with a frame, because it knows the state it is in."""

    def __init__(self, network: Lbbvn) -> None:
        self.network = network
        self.settings: Settings | None = None
        self._slot = 0  # row of the settings that the next slot uses
        self._clear = True

    def load(self, schedule: Int32Array) -> Settings:
        """Compile a schedule; the network starts at its first row after the next reset."""
        network = self.network
        self.settings = lbbvn.compile_settings(schedule, network.lanes, network.static_upper)
        self._slot = 0
        return self.settings

    def __call__(self, item: SlotFrame) -> bool:
        """Attach the plan; true if no conflict is predicted from the start up to here."""
        if self.network.control == "SELF":
            if item.plan is None:
                item.plan = make_plan(self.network, item.dst)
        else:
            item.plan = self._scheduled(item)
        self._clear = self._clear and item.plan.clear
        return self._clear

    def rows_of(self, item: SlotFrame) -> Settings:
        """The settings that a frame meets which has its plan."""
        assert self.settings is not None
        return rows_of(self.settings, self._rows(item, item.phase) % len(self.settings.loop))

    @staticmethod
    def _rows(item: SlotFrame, start: int) -> Int64Array:
        """Rows of settings of its slots, counted on from the first slot's."""
        since = np.arange(item.slots) + start
        if item.reset is not None:
            for row in np.flatnonzero(item.reset):
                since[row + 1 :] = np.arange(item.slots - row - 1)
        return since

    def _scheduled(self, item: SlotFrame) -> Plan:
        if self.settings is None:
            raise RuntimeError("a frame was sent before a schedule was loaded")
        period, start = len(self.settings.loop), self._slot
        since = self._rows(item, start)
        rows = since % period
        self._slot = int(since[-1] + 1) % period if len(since) else start
        if item.reset is not None and item.reset[-1]:
            self._slot = 0
        if item.plan is not None and item.phase == start and item.reset is None:
            known: Plan = item.plan
            return known
        item.phase = start
        return make_plan(self.network, item.dst, led_by_schedule(self.settings, item.dst, rows))


class SlotEnv(BenchEnv):
    """Agent, predictor, scoreboard and coverage of the slot link."""

    scoreboard: SlotScoreboard

    @staticmethod
    def port(network: Lbbvn, agent: str, transport: str) -> SlotPins | ClassicPort:
        if agent == "CLASSIC":
            return ClassicPort(network)
        return (SlotPins if agent == PASSIVE else SlotPort)(network, transport)

    def build_phase(self) -> None:
        network, port = self.bench.network, self.bench.port
        self.predictor = Predictor(network)
        self.agent = Agent.create("agent", self, port, self.predictor, *ends(port))
        self.scoreboard = SlotScoreboard.create("scoreboard", self, network)
        self.coverage = SlotCoverage.create("coverage", self, network)

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        """Reset; a SCHEDULED network is programmed with the scenario's schedule."""
        port = self.bench.port
        await port.reset()
        if self.bench.network.control == "SCHEDULED" and isinstance(port, SlotPort):
            assert scenario.schedule is not None
            stimulus.schedule = scenario.schedule(stimulus)
            settings = self.predictor.load(stimulus.schedule)
            await port.program(len(settings.loop), settings_rows(settings))
            await port.reset()

    def closing(self) -> Iterable[SlotFrame]:
        """Let everything out."""
        return [drain(self.bench.network)]

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        board, network = self.scoreboard, self.bench.network
        tally = board.tally
        own = network.own if scenario.name == "own_frame" else None
        return outcome(
            scenario,
            self,
            seconds,
            steps=board.slots,
            sent=tally.sent,
            delivered=tally.delivered,
            losses=tally.losses(),
            figures={"leaves": Quantity(network.leaves, "leaves")} | (figures(own) if own else {}),
            tables={"levels": self._levels()} | ({"frame": untitled(needs(own))} if own else {}),
        )

    def _levels(self) -> Table:
        """A row per level of nodes with the channel above them; lanes are those of the RTL.

        Level 0 is the root, n the leaves; fixed wires have no lanes.  No level: leaves' outputs.
        """
        board, network, n = self.scoreboard, self.bench.network, self.bench.network.n
        known = lbbvn.lower_bound(n), lbbvn.nonblocking(n)
        lost = board.conflicts, board.conflicts[n + 2 :]
        rows: list[tuple[Number, ...]] = []
        for j in range(n + 1):
            up, down, child = (
                board.lanes.get(at, Level()) for at in (("up", j), ("down", j), ("down", j + 1))
            )
            below = None if child.lanes is None or j < network.top_level else 2 * child.lanes
            above = [int(x[j]) for x in known] if j else [None, None]
            seen = up.busiest, down.busiest, *(int(x[j]) if j else None for x in lost)
            rows.append((j, up.lanes, down.lanes, below, *above, *seen))
        if board.conflicts[-1]:
            rows.append((None, *8 * [None], int(board.conflicts[-1])))
        return table(LEVELS, rows)


ENVIRONMENT = SlotEnv
