"""The environment of a network on the serial link."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from fattree_bench.bench.environment import BenchEnv, outcome
from fattree_bench.bench.links.agent import Agent, FrameMonitor
from fattree_bench.bench.links.serial.messages import MessageSet, SerialDriver, SerialPort
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.families.leiserson.coverage import SerialCoverage
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.plan import make_plan
from fattree_bench.families.leiserson.scoreboard import SerialScoreboard
from fattree_models import leiserson as lei


class Predictor:
    """Knows what the network will do with a message set; every set starts afresh."""

    def __init__(self, network: Leiserson, scoreboard: SerialScoreboard) -> None:
        self.network = network
        self.scoreboard = scoreboard
        self.seed = 0
        self.online: dict[str, list[tuple[int, Fraction, int]]] = {}
        self.facts: list[str] = []
        self.deliveries: list[dict[str, Any]] = []

    def __call__(self, item: MessageSet) -> int:
        """Attach the plan; the delivery cycles that will be seen."""
        if item.plan is None:
            item.plan = make_plan(self.network, item, self.seed)
            self._note(item)
        self.scoreboard.announce(item)
        return int(item.plan.cycles)

    def _note(self, item: MessageSet) -> None:
        """Remember what the report says of the item."""
        self.facts += item.facts
        if item.delivery:
            self.deliveries.append(item.delivery)
        if item.queue:
            row, wire = np.nonzero(item.dst >= 0)
            source = lei.source_processor(self.network.tree)[wire]
            factor = lei.load_factor(source, item.dst[row, wire], self.network.cap)
            told = len(row), factor, item.plan.cycles
            self.online.setdefault(item.family, []).append(told)
            self.deliveries.append(
                {
                    "family": item.family,
                    "how": self.network.discipline,
                    "offline": False,
                    "messages": len(row),
                    "load_factor": float(factor),
                    "cycles": item.plan.cycles,
                    "bound": None,
                }
            )

    def notes(self) -> list[str]:
        """On-line delivery against its bounds, one line a kind of traffic; facts of the items."""
        lines = list(dict.fromkeys(self.facts))
        n = self.network.n
        extra = max(1, n) * max(1.0, math.log2(max(2, n)))  # lg n lg lg n
        for family, sets in self.online.items():
            sizes = _range([m for m, _, _ in sets], "d")
            factors = _range([float(f) for _, f, _ in sets], ".2f")
            cycles = _range([c for _, _, c in sets], "d")
            low = _range([max(1, math.ceil(f)) for _, f, _ in sets], "d")
            high = _range([float(f) + extra for _, f, _ in sets], ".1f")
            number = "1 set" if len(sets) == 1 else f"{len(sets)} sets"
            lines.append(
                f"{family}, on-line {self.network.discipline}: {number} of {sizes} messages, "
                f"load factor {factors}: {cycles} delivery cycles "
                f"(at least {low}; load factor + lg n lg lg n = {high})"
            )
        return lines


def _range(values: list[Any], form: str) -> str:
    low, high = format(min(values), form), format(max(values), form)
    return low if low == high else f"{low} … {high}"


class SerialEnv(BenchEnv):
    """Agent, predictor, scoreboard and coverage of the serial link."""

    scoreboard: SerialScoreboard

    @staticmethod
    def port(network: Leiserson, agent: str, transport: str) -> SerialPort:
        return SerialPort(network, transport)

    def build_phase(self) -> None:
        network, port = self.bench.network, self.bench.port
        self.scoreboard = SerialScoreboard("scoreboard", self, network)
        self.predictor = Predictor(network, self.scoreboard)
        self.agent = Agent(
            "agent",
            self,
            lambda agent: SerialDriver("driver", agent, port, self.predictor),
            lambda agent: FrameMonitor("monitor", agent, port),
        )
        self.coverage = SerialCoverage("coverage", self, network)

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        """Reset, and choose the seed of the senders' LFSRs."""
        any_seed = int(stimulus.rng.integers(1 << 32))
        self.predictor.seed = scenario.seed(stimulus) if scenario.seed else any_seed
        await self.bench.port.reset(self.predictor.seed)

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        board, network = self.scoreboard, self.bench.network
        half = network.n + 1
        tally = board.tally
        notes = self.predictor.notes()
        if tally.attempts > tally.sent - tally.discarded:
            repeated = tally.attempts - (tally.sent - tally.discarded)
            notes.append(f"{tally.attempts} attempts, {repeated} of them repetitions")
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
            losses={"in conflicts": tally.lost, "in a reset": tally.discarded},
            notes=notes,
            deliveries=self.predictor.deliveries,
            levels=[
                {
                    "level": k,
                    "wires": int(network.cap[k]),
                    "load up": int(board.load[0, k]),
                    "down": int(board.load[1, k]),
                    "busiest up": int(board.used[0, k]),
                    "busiest down": int(board.used[1, k]),
                    "conflicts up": int(board.conflicts[k]),
                    "conflicts down": int(board.conflicts[half + k]),
                }
                for k in range(half)
            ],
        )


ENVIRONMENT = SerialEnv
