"""The environment, written once: one agent, predictor, scoreboard, coverage; a link fills it in."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from cocotb.triggers import Timer
from pyuvm import uvm_component, uvm_env, uvm_subscriber

from fattree_bench.bench import faults as kind
from fattree_bench.bench.chosen import Values, packed
from fattree_bench.bench.coverage import Coverage
from fattree_bench.bench.created import Created
from fattree_bench.bench.failing_astray import summed
from fattree_bench.bench.failure import Place, Stop
from fattree_bench.bench.faults import Faults, Where
from fattree_bench.bench.lanes import Lanes
from fattree_bench.bench.ledger import DELIVERED, INSIDE, Ledger, Timing, balanced
from fattree_bench.bench.levels import ORDER, Supplied
from fattree_bench.bench.limits import Limits, Watch
from fattree_bench.bench.links.agent import Agent, Misplayed
from fattree_bench.bench.onlooker import Onlooker
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.bench.scenario import Scenario, Stimulus
from fattree_bench.bench.suspects import Suspects
from fattree_bench.bench.tlm import Analysis, Played
from fattree_bench.bench.unknown import Unknowns

Counting: TypeAlias = Coverage[Any, Any, Any]  # of any network and item


@dataclass
class Bench:
    """What a test needs from outside: the network, its port in the simulator, how to check."""

    network: Any  # a Network of the link that `env` knows
    port: Any
    env: "type[BenchEnv]"
    rows: int  # slots or delivery cycles of random traffic
    coverage: bool = True
    onlooker: Callable[..., Onlooker] | None = None  # of an environment, if the run is shown
    folder: Path | None = None  # of what the run writes besides its results
    points: str = ""  # file to which measured figures are added at once
    debug: bool = False
    stimulus: Values = field(default_factory=dict)  # of a test, where they are chosen


class Scoreboard(Created, uvm_subscriber):
    """Compares what was captured with what was expected; `checked` tells which items were."""

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.faults = Faults()
        self.supplied = Supplied()
        self.unknown = Unknowns()
        self.lanes: Lanes = {}  # of the RTL, read when it has stopped
        self.passive = False  # traffic is somebody else's
        self.suspects = Suspects()
        self.ledger = Ledger()
        self.timing = Timing()
        self.span: Callable[[], tuple[int, int]] | None = None  # steps at the ends of a burst
        self.faults.step_of = self.timing.step

    def burst(self, first: int, clocks: int) -> None:
        """So many clocks, from this one on, were played."""
        if self.span is not None:
            self.timing.note(first, clocks, *self.span())
        self.unknown.tell(self.faults, first)

    def accounts(self) -> dict[str, int]:
        """What became of all that was sent, by name; the sum is `sent`."""
        return {}  # a family that keeps none: ScenarioResult.ends tells what there is

    def cut_off(self) -> None:
        """The simulation ends before its time: count what was seen of an item under way."""

    def build_phase(self) -> None:
        self.checked: Analysis[Played] = Analysis("checked", self)

    def misplayed(self, found: Misplayed) -> None:
        """A player did not play what was asked: nothing is judged from its item on."""
        self.faults.family = found.item.family
        place = None if found.leaf is None else Place("leaf", found.leaf)
        example = f"the player did not play what was asked: {found.example}"
        self.faults.add(kind.PLAYER, example, where=Where(found.time, place))

    @property
    def ended_early(self) -> bool:
        """Packets may still be inside at the end."""
        return self.passive or kind.PLAYER in self.faults.counts

    def check_phase(self) -> None:
        """What every link has to say at the end."""
        self.unknown.tell(self.faults)


class BenchEnv(Created, uvm_env):
    """Everything between a sequence and a verdict; one subclass a link."""

    agent: Agent
    scoreboard: Scoreboard
    coverage: Counting
    limits = Limits()
    senders: Any = None  # see Stimulus

    def __init__(self, name: str, parent: uvm_component, bench: Bench) -> None:
        super().__init__(name, parent)
        self.bench = bench
        self.stop: Stop | None = None

    @staticmethod
    def port(network: Any, agent: str, transport: str) -> Any:
        """Python's side of the bench in the simulator, made once a process."""
        raise NotImplementedError

    def connect_phase(self) -> None:
        """Scoreboard and coverage hear of what was captured; a watch ends what has no end."""
        self.watch = Watch(self.limits, self.scoreboard.faults)
        self.scoreboard.span = getattr(self.bench.port, "span", None)
        readers = (getattr(self.bench.port, name, None) for name in ("transport", "vci"))
        leaves = getattr(self.bench.network, "wires", self.bench.network.leaves)
        self.scoreboard.unknown = Unknowns(readers, leaves)
        self.agent.monitor.ap.connect(self.scoreboard.analysis_export)
        self.agent.monitor.misplayed.tell("misplayed", self, self.scoreboard.misplayed)
        self.scoreboard.passive = not self.agent.active()
        if self.bench.coverage:
            self.scoreboard.checked.connect(self.coverage.analysis_export)
        self.onlooker = self.bench.onlooker(self) if self.bench.onlooker else None
        if self.onlooker is not None:
            self.agent.monitor.ap.tell("onlooker", self, self.onlooker.write)

    async def prepare(self, scenario: Scenario, stimulus: Stimulus) -> None:
        """Reset, and load what the network must know before traffic comes."""
        raise NotImplementedError

    async def onlook(self) -> None:
        """Let time pass, in which somebody else's traffic is watched."""
        await Timer(1, "step")  # at time 0 initial values may still overwrite what Python writes
        port, left = self.bench.port, self.bench.rows
        while left > 0 and not self.watch.over():
            await port.watch(min(left, port.rows))
            left -= port.rows

    def closing(self) -> Iterable[Played]:
        """Items to be sent when the scenario has no more."""
        return ()

    def cut_off(self) -> None:
        """The simulation ends before its time: note where."""
        stop: Callable[[str], Stop] = getattr(self.bench.port, "stop", Stop)
        self.stop = stop(self.scoreboard.faults.unit)
        self.agent.monitor.cut_off()
        self.scoreboard.cut_off()

    def result(self, scenario: Scenario, seconds: float) -> ScenarioResult:
        """What came of it."""
        raise NotImplementedError


def outcome(scenario: Scenario, env: BenchEnv, seconds: float, **figures: Any) -> ScenarioResult:
    """A result with what is the same on every link filled in."""
    faults = env.scoreboard.faults
    for group in env.coverage.groups.values():
        if bins := group.impossible():
            told = f"coverage {group.name}: {bins} bins hit that nothing can hit"
            faults.add(kind.IMPOSSIBLE, told, bins)
    supplied = env.scoreboard.supplied
    accounts = env.scoreboard.accounts()
    rest = figures["sent"] - sum(accounts.values())
    if accounts and (env.stop is not None or env.scoreboard.ended_early):
        accounts[INSIDE] = accounts.get(INSIDE, 0) + rest
    elif accounts and rest:
        told = f"{figures['sent']} sent, {sum(accounts.values())} accounted for"
        faults.add(kind.UNCHECKED, told)
    accounts = balanced(accounts, faults.counts)
    if accounts and (faults or env.stop is not None):  # as was seen, not as was foreseen
        figures["delivered"] = accounts[DELIVERED]
    run = scenario.name, env.bench.folder, env.bench.network.leaves
    return ScenarioResult(
        scenario=scenario.name,
        ordered=ORDER in supplied.promises,
        level=str(supplied.level),
        promises=list(supplied.promises),
        faults=dict(faults.counts),
        examples=faults.examples,
        accounts=accounts,
        failure=summed(faults, env.scoreboard.suspects, *run) if faults else None,
        stop=env.stop,
        coverage={g.name: (g.covered, g.bins) for g in env.coverage.groups.values()},
        bins=packed(env.coverage.groups) if env.bench.stimulus else {},
        seconds=seconds,
        **figures,
    )
