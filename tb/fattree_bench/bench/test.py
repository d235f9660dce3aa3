"""The base test: prepare, start a scenario's sequence, close, report."""

import time
import traceback
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
from cocotb.triggers import Timer
from pyuvm import ConfigDB, uvm_active_passive_enum, uvm_test
from pyuvm.uvm_reporting import set_sv_uvm_style_reporting_enabled

from fattree_bench.bench import faults as kind
from fattree_bench.bench import lanes
from fattree_bench.bench.broken import BROKEN
from fattree_bench.bench.chosen import given
from fattree_bench.bench.environment import Bench
from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.bench.sequence import Ended, Listed, Sequencer, sequence_of
from fattree_bench.paths import PACKAGE

set_sv_uvm_style_reporting_enabled(True)  # errors are counted where every component reports them


class BenchTest(uvm_test):
    """Runs one scenario; `result` holds what came of it.

    A test of your own overrides `main` to start other sequences, and types in its build phase
    before it calls this one.
    """

    def build_phase(self) -> None:
        self.bench: Bench = ConfigDB().get(self, "", "BENCH")
        self.scenario: Scenario = ConfigDB().get(self, "", "SCENARIO")
        self.rng: np.random.Generator = ConfigDB().get(self, "", "RNG")
        active = self.scenario.agent != PASSIVE
        ConfigDB().set(self, "*", "is_active", uvm_active_passive_enum(int(active)))
        self.env = self.bench.env.create("env", self, self.bench)
        self.result: ScenarioResult | None = None
        self.seconds = 0.0

    @property
    def sequencer(self) -> Sequencer:
        found: Sequencer = self.env.agent.sequencer
        return found

    async def main(self) -> None:
        """What is sent."""
        own = given(self.scenario.body, self.bench.stimulus)
        await self.sequencer.do(sequence_of(self.scenario.body)(self.scenario.name, **own))

    async def run_phase(self) -> None:
        self.raise_objection()
        start = time.perf_counter()
        if self.env.agent.active():
            start = await self.play()
        else:
            await self.env.onlook()
        self.seconds = time.perf_counter() - start
        self.drop_objection()

    async def play(self) -> float:
        """Prepare, and play the scenario; when it began."""
        stimulus = Stimulus(self.bench.network, self.rng, self.bench.rows, None, self.env.senders)
        self.sequencer.stimulus, self.sequencer.watch = stimulus, self.env.watch
        await self.env.prepare(self.scenario, stimulus)
        start = time.perf_counter()
        try:
            await self.main()
        except Ended:
            pass
        except (Exception, SystemExit) as error:  # of a sequence: what was sent before is judged
            traceback.print_exc()
            self.env.scoreboard.faults.add(kind.RAISED, described(error))
        with suppress(Ended):
            await Listed("closing", self.env.closing()).start(self.sequencer)
        await Timer(1, "step")  # meters of the last clock change in the same step as `done`
        return start

    def check_phase(self) -> None:
        """An error that any component reported fails the test."""
        errors = self.report_server.get_stats().error_count
        if errors:
            told = f"{errors} UVM_ERROR, see the log"
            self.env.scoreboard.faults.add(kind.REPORTED, told, errors)

    def extract_phase(self) -> None:
        """Hand the scoreboard, whose check phase comes before ours, what the port noticed."""
        board = self.env.scoreboard
        board.lanes = lanes.read(self.bench.network, board.faults)

    def report_phase(self) -> None:
        self.env.coverage.fold()
        self.result = self.env.result(self.scenario, self.seconds)
        if not self.result.passed:
            type(self.env).limits = replace(self.env.limits, **BROKEN)


def described(error: BaseException) -> str:
    """The exception in a line, with the last place outside our own code and libraries."""
    frames = traceback.extract_tb(error.__traceback__)
    own = str(PACKAGE), "site-packages", "<"
    outside = [f for f in frames if not any(part in f.filename for part in own)]
    place = (outside or frames)[-1]
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message} ({Path(place.filename).name}:{place.lineno})"


def test_of(scenario: Scenario) -> type[BenchTest]:
    """The test that a scenario is: one of its own, or the base test, which starts a sequence."""
    body = scenario.body
    return body if isinstance(body, type) and issubclass(body, BenchTest) else BenchTest
