"""From an input that fails to the smallest that fails in the same way."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from fattree_bench.bench.failure import Failure
from fattree_bench.errors import UserError
from fattree_bench.families import select
from fattree_bench.jobs.job import from_root
from fattree_bench.shrink.case import FILE, MESSAGES, Case
from fattree_bench.shrink.ddmin import ddmin, least
from fattree_bench.shrink.tries import Simulators, Way, failure_of, way_of
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError
from fattree_bench.sim.outcome import Outcome


class Spent(Exception):
    """The budget is used up."""


@dataclass
class Search:
    """The smallest input so far, and what was tried.

    Attributes
    ----------
    given : variables of the run that failed, without its test.
    way : in which inputs must fail.
    budget : seconds of CPU time, those of `simulators`.
    leaves : of the run that failed; with fewer of them, places have other names.
    outcome : of `best`; None: nothing failed so far.
    known : how each input that was tried failed; None: it passed, or cannot be played.
    """

    simulators: Simulators
    given: dict[str, str]
    way: Way
    budget: float
    leaves: int
    best: Case = field(default_factory=lambda: Case((), ()))
    outcome: Outcome | None = None
    known: dict[Case, Way | None] = field(default_factory=dict)

    def settings(self, case: Case) -> v.Variables:
        """The variables that play a case, which is written; UserError if they do not fit."""
        case.write(self.simulators.folder)
        place = from_root(self.simulators.folder)
        test = f"{place}/{case.test}" if case.test else FILE
        more = {"MESSAGES": f"{place}/{MESSAGES}", "TEST": test}
        return v.check({**self.given, **dict(case.variables), **more}, write=False)

    def play(self, case: Case) -> tuple[Way | None, Outcome]:
        """Simulate a case: how it fails."""
        settings = self.settings(case)
        (scenario,) = select(settings.network, settings.test)
        if scenario.unfit(settings.network):
            raise UserError(settings.test)
        outcome = self.simulators.run(settings, scenario, case.variables)
        way = way_of(outcome)
        moved = settings.network.leaves != self.leaves
        return (replace(way, place=self.way.place) if way and moved else way), outcome

    def fails(self, case: Case) -> bool:
        """Whether a case fails in the same way; if it is new, it is the best."""
        if case not in self.known:
            if self.simulators.spent > self.budget:
                raise Spent
            try:
                self.known[case], outcome = self.play(case)
            except (UserError, BuildError):
                self.known[case] = None
            else:
                if self.known[case] == self.way:
                    self.best, self.outcome = case, outcome
        return self.known[case] == self.way

    @property
    def failure(self) -> Failure:
        """Of the best."""
        found = failure_of(self.outcome) if self.outcome is not None else None
        return found or Failure()

    @property
    def extent(self) -> int | None:
        """When the fault was, or what was lost was sent: a clock, slot or cycle."""
        first = self.failure.first
        if first is None or first.unit == "time":
            return None
        return first.since if first.time is None else first.time

    @property
    def unproved(self) -> int:
        """Inputs with one message or flit less that were not tried, or fail in the same way."""
        return sum(self.known.get(c, self.way) == self.way for c in self.best.smaller())

    @property
    def otherwise(self) -> int:
        """Those that fail in another way."""
        return sum(self.known.get(c) not in (None, self.way) for c in self.best.smaller())

    def begin(self, cases: Sequence[Case]) -> bool:
        """Whether a case fails so, or at another place: random pauses are not as they were."""
        if any(self.fails(case) for case in cases):
            return True
        there = {w and (w.kind, w.rule): w for w in self.known.values()}
        self.way = there.get((self.way.kind, self.way.rule)) or self.way
        self.known = {}
        return any(self.fails(case) for case in cases)

    def run(self) -> None:
        """Leave out what can be left out, until nothing more can."""
        self._guess()
        self._rounds()
        for _ in fewer(self):
            self._rounds()

    def _rounds(self) -> None:
        before = None
        while before != self.best:
            before = self.best
            for step in STEPS:
                step(self)

    def _guess(self) -> None:
        """What is sent until the fault; of that its packet alone, then what shares more with it."""
        first, case, until = self.failure.first, self.best, self.extent
        if first is None:
            return
        if until is not None and first.time is not None:
            now = zip(case.messages, case.column("release"), strict=True)
            early = case.only(m for m, release in now if release <= until)
            early = early.put("pauses", (p for p in case.pauses if p[1] <= until))
            case = early if early != case and early.messages and self.fails(early) else case
        ends = [(p.source, p.destination) for p in (first.expected, first.got) if p]
        pairs = [*zip(case.column("source"), case.column("destination"), strict=True)]
        sources, goals = {s for s, _ in ends}, {d for _, d in ends}
        for wanted in (
            *([pair == end for pair in pairs] for end in ends),
            [s in sources and d in goals for s, d in pairs],
            [d in goals for _, d in pairs],
            [s in sources for s, _ in pairs],
        ):
            some = [m for m, this in zip(case.messages, wanted, strict=True) if this]
            if some and len(some) < len(pairs) and self.fails(case.only(some)):
                return


# ---- what can be left out ------------------------------------------------------------------------


def parts(search: Search, name: str) -> None:
    """Fewer messages, pauses, or settings."""
    case = search.best
    found = getattr(case, name)
    if name == "messages" or (found and not search.fails(case.put(name, ()))):
        ddmin(found, lambda some: search.fails(case.put(name, some)))


def column(search: Search, name: str, low: int) -> None:
    """Smaller values of a column: all of them, or one by one."""
    count = len(search.best.messages)
    if name not in search.best.columns or search.fails(search.best.but(name, [low] * count)):
        return
    for i in range(count):
        value = search.best.column(name)[i]
        least(value, low, partial(_with, search, search.best, name, i))


def _with(search: Search, case: Case, name: str, at: int, value: int) -> bool:
    """One message has another value in a column."""
    values = case.column(name)
    return search.fails(case.but(name, [*values[:at], value, *values[at + 1 :]]))


def releases(search: Search) -> None:
    """Shorter gaps between messages, then earlier ones; pauses move with them."""
    for number in range(len(set(search.best.column("release")))):
        times = sorted({0, *search.best.column("release")})[number : number + 2]
        if len(times) == 2 and "release" in search.best.columns:
            before, time = times
            least(time - before, 0, partial(_closer, search, search.best, time, before))
    column(search, "release", 0)


def _closer(search: Search, case: Case, time: int, before: int, gap: int) -> bool:
    """What happens from a time on comes so soon behind what is before it."""
    new = before + gap
    moved = [r if r < time else r - time + new for r in case.column("release")]
    pauses = ((x, a if a < time else a - time + new, n) for x, a, n in case.pauses)
    return search.fails(case.but("release", moved).put("pauses", pauses))


def pauses(search: Search) -> None:
    """Fewer receivers that pause, for shorter."""
    case, first = search.best, search.failure.first
    if len(case.pauses) > 1 and first is not None and first.time is not None:
        # One from the start to the fault is simpler than many, and shrinks sooner.
        blocks = ((leaf, 0, first.time + 1) for leaf in sorted({p[0] for p in case.pauses}))
        any(search.fails(case.put("pauses", some)) for some in ((), *((x,) for x in blocks)))
    parts(search, "pauses")
    for i in range(len(search.best.pauses)):
        for late in (False, True):
            clocks = search.best.pauses[i][2]
            least(clocks, 1, partial(_shorter, search, search.best, i, late))


def _shorter(search: Search, case: Case, at: int, late: bool, clocks: int) -> bool:
    """A pause ends earlier, or begins later."""
    leaf, first, long = case.pauses[at]
    pause = leaf, first + (long - clocks) * late, clocks
    return search.fails(case.put("pauses", (*case.pauses[:at], pause, *case.pauses[at + 1 :])))


def payloads(search: Search) -> None:
    """Payloads that name their message, or are smaller."""
    if "payload" in search.best.columns and not search.fails(search.best.without("payload")):
        column(search, "payload", 0)


STEPS: tuple[Callable[[Search], None], ...] = (
    partial(parts, name="settings"),
    pauses,
    partial(parts, name="messages"),
    partial(column, name="flits", low=1),
    releases,
    payloads,
)


# ---- smaller networks ----------------------------------------------------------------------------


def fewer(search: Search) -> Iterator[None]:
    """After each variable of the network that has become smaller."""
    network = search.settings(search.best).network
    for variable in sorted(type(network).parameters, key=lambda p: not p.rtl):
        value = network.variables().get(variable.name, "")
        if variable.per_run or not value:
            continue
        for text in smaller(value):
            try:
                other = type(network).from_variables(network.variables() | {variable.name: text})
            except (UserError, ValueError):
                continue
            if other.synthesis(bench=True) == network.synthesis(bench=True):
                break  # nothing of the hardware depends on it
            more = dict(search.best.variables) | {variable.name: text}
            case = search.best.put("variables", more.items())
            if any(search.fails(c) for c in moved(case, other.leaves)):
                network = other
                yield
                break


def smaller(value: str) -> Iterator[str]:
    """Smaller values of a variable that is a number, or a list of them: the least come first."""
    words = value.split(",")
    if all(word.isdigit() for word in words):
        for i, high in enumerate(map(int, words)):
            for x in (1 << k for k in range(high.bit_length())):
                if x < high:
                    yield ",".join([*words[:i], str(x), *words[i + 1 :]])


def moved(case: Case, leaves: int) -> Iterator[Case]:
    """The messages on so many leaves: as they are, side by side, modulo, as far to the right."""
    used = sorted({*case.column("source"), *case.column("destination")})
    maps = (
        {x: x for x in used},
        {x: i for i, x in enumerate(used)},
        {x: x % leaves for x in used},
        {x: x * leaves // (used[-1] + 1) for x in used},
    )
    for new in maps:
        if max(new.values()) < leaves:
            there = case
            for end in ("source", "destination"):
                there = there.but(end, [new[x] for x in case.column(end)])
            yield there.put("pauses", ((new.get(x, x), a, n) for x, a, n in case.pauses))
