"""The environment of a network on the serial link."""

import math

import numpy as np

from fattree_bench.bench.environment import BenchEnv, outcome
from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.lanes import Level
from fattree_bench.bench.links.agent import Agent, FrameMonitor
from fattree_bench.bench.links.serial.classic import ClassicDriver, ClassicMonitor, SerialPins
from fattree_bench.bench.links.serial.messages import MessageSet, SerialDriver, SerialPort
from fattree_bench.bench.links.serial.records import SerialRecords
from fattree_bench.bench.links.serial.watched import SerialWatch
from fattree_bench.bench.result import Head, Heads, Number, Quantity, Record, ScenarioResult, table
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.leiserson.coverage import SerialCoverage
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.plan import make_plan
from fattree_bench.families.leiserson.scoreboard import SerialScoreboard
from fattree_bench.families.leiserson.watched import Watcher
from fattree_models import leiserson as lei

LEVELS: Heads = {
    "level": Head("level", "level"),
    "wires_up": Head("wires per channel", "wires up"),
    "wires_down": Head("wires per channel", "down"),
    "load_up": Head("messages", "load up"),
    "load_down": Head("messages", "down"),
    "busiest_up": Head("wires", "busiest up"),
    "busiest_down": Head("wires", "down"),
    "conflicts_up": Head("messages", "conflicts up"),
    "conflicts_down": Head("messages", "down"),
}


class Predictor:
    """Knows what the network will do with a message set; sets start afresh, or go on."""

    def __init__(self, network: Leiserson, scoreboard: SerialScoreboard) -> None:
        self.network = network
        self.scoreboard = scoreboard
        self.seed = 0
        self.number = 0  # of the next delivery cycle, since the last restart
        self.kept = 0  # messages that stay within their processors
        self.deliveries: list[Record] = []

    def __call__(self, item: MessageSet) -> int:
        """Attach the plan; the delivery cycles that will be seen."""
        if item.restart:
            self.number = 0
        if item.until is not None:
            item.dst = item.dst[:1].repeat(max(1, item.until - self.number), axis=0)
        if item.plan is None or not item.restart:
            item.plan = make_plan(self.network, item, self.seed, self.number)
            self._note(item)
        if item.plan.cycles:
            self.number = int(item.plan.number[-1]) + 1
        self.scoreboard.announce(item)
        return int(item.plan.cycles)

    def _note(self, item: MessageSet) -> None:
        """Remember what the report says of the item."""
        self.kept = max(self.kept, item.kept)
        if item.delivery:
            self.deliveries.append(item.delivery)
        if item.queue and item.restart and item.reset is None and item.stop is None:
            row, wire = np.nonzero(item.dst >= 0)
            source = lei.source_processor(self.network.tree)[wire]
            factor = lei.load_factor(source, item.dst[row, wire], self.network.cap)
            n = self.network.n
            self.deliveries.append(
                {
                    "family": item.family,
                    "how": self.network.discipline,
                    "offline": False,
                    "messages": len(row),
                    "load_factor": float(factor),
                    "cycles": item.plan.cycles,
                    "least": max(1, math.ceil(factor)),
                    # Without the constant: load factor + lg n lg lg n.
                    "bound": float(factor) + max(1, n) * max(1.0, math.log2(max(2, n))),
                }
            )


class SerialEnv(BenchEnv):
    """Agent, predictor, scoreboard and coverage of the serial link."""

    scoreboard: SerialScoreboard

    @staticmethod
    def port(network: Leiserson, agent: str, transport: str) -> SerialRecords | SerialPins:
        if agent == "CLASSIC":
            return SerialPins(network)
        return (SerialWatch if agent == PASSIVE else SerialPort)(network, transport)

    def build_phase(self) -> None:
        network, port = self.bench.network, self.bench.port
        self.scoreboard = SerialScoreboard.create("scoreboard", self, network)
        known = Watcher if isinstance(port, SerialWatch) else Predictor
        self.predictor = known(network, self.scoreboard)
        classic = isinstance(port, SerialPins)
        ends = (ClassicDriver, ClassicMonitor) if classic else (SerialDriver, FrameMonitor)
        self.agent = Agent.create("agent", self, port, self.predictor, *ends)
        self.coverage = SerialCoverage.create("coverage", self, network)

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        """Reset, and choose the seed of the senders' LFSRs."""
        any_seed = int(stimulus.rng.integers(1 << 32))
        self.predictor.seed = scenario.seed(stimulus) if scenario.seed else any_seed
        await self.bench.port.reset(self.predictor.seed)
        self.predictor.number = 1  # the idle one of the reset was the first

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        board, network = self.scoreboard, self.bench.network
        tally = board.tally
        return outcome(
            scenario,
            self,
            seconds,
            unit="delivery cycles",
            noun="messages",
            steps=board.cycles,
            sent=tally.sent,
            delivered=tally.delivered,
            overtaken=tally.overtaken,
            losses=tally.losses(),
            figures={
                "leaves": Quantity(network.leaves, "processors"),
                "cycle": Quantity(network.layout.ticks, "clocks"),
                "data": Quantity(network.width, "bits"),
                "kept": Quantity(self.predictor.kept, "messages"),
                "attempts": Quantity(tally.attempts, "messages"),
                "repetitions": Quantity(tally.attempts - tally.tried, "messages"),
            },
            deliveries=self.predictor.deliveries,
            tables={"levels": table(LEVELS, [self._level(k) for k in range(network.n + 1)])},
        )

    def _level(self, k: int) -> list[Number]:
        """Channels of level k: wires and most in use, of the RTL; what wants them; losses."""
        board, lost = self.scoreboard, self.scoreboard.conflicts
        up, down = (board.lanes.get((way, k), Level()) for way in ("up", "down"))
        wires = up.lanes, down.lanes
        load = (int(x) for x in board.load[:, k])
        half = self.bench.network.n + 1
        return [k, *wires, *load, up.busiest, down.busiest, int(lost[k]), int(lost[half + k])]


ENVIRONMENT = SerialEnv
