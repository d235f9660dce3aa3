"""Invariants of the sound system's registers, found and proved.

A lemma lists the values that a few registers with a reset may have together.  It starts with the
value after reset.  A solver looks for a clock that leads from a state in which all lemmas hold to
a value not yet listed, and adds it.  When none is left, the lemmas hold forever, by induction over
clocks; a lemma with too many values is dropped.  The result is the least invariant of its shape:
one-hot states, the range of a queue's pointers and relations between registers of an instance
need no hand-written rules.

Lemmas hold for all inputs or, if `ruled`, while the rules that the RTL checks hold, which it does
only outside reset.  The rules of the next clock count as well: they exclude what would break them.
For systems that work in rounds, further lemmas hold in the clock in which a round begins.
"""

import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, product
from typing import Protocol

from bitwuzla import Bitwuzla, Option, Options, Result, Term

from fattree_prover.btor import RESET, State, System, Terms, bits, supports
from fattree_prover.counters import counters

TOGETHER = 8  # bits of all registers of a lemma on an instance
WIDEST = 17  # bits of a register with a lemma of its own
VALUES = 64  # per lemma; one with more says too little
SMALL = 16  # names in a rule of the next clock; a longer one means two clocks of a whole switch
SELDOM = 64  # the clock is read once per so many polls by the solver


class Sentence(Protocol):
    """An invariant of the sound system."""

    @property
    def names(self) -> tuple[str, ...]:
        """Registers that it constrains."""
        ...

    def term(self, terms: Terms, state: State, reset: Term | None = None) -> Term:
        """Boolean: it holds in a state; `reset`: whether the clock is one of a reset."""
        ...

    def tells(self, state: State) -> bool:
        """Whether it applies to a state."""
        ...


class Always:
    """A sentence that applies to every state, also during reset."""

    def tells(self, state: State) -> bool:
        return True


@dataclass(frozen=True)
class Lemma:
    """The possible values of registers.

    Parameters
    ----------
    names : registers, the first one lowest.
    values : of all registers as one word, as bits.
    ruled : holds only under the rules, and outside reset.
    begins : registers of a counter; the lemma holds where they are 0, at the start of a round.
    """

    names: tuple[str, ...]
    values: tuple[str, ...]
    ruled: bool = False
    begins: tuple[str, ...] = ()

    def term(self, terms: Terms, state: State, reset: Term | None = None) -> Term:
        """Boolean: it holds in a state; `reset`: whether the clock is one of a reset."""
        true = among(terms, terms.joined([state[name] for name in self.names]), self.values)
        spoken = self.ruled and not self.begins and reset is not None
        return terms.any([true, reset]) if spoken else true

    def tells(self, state: State) -> bool:
        """Whether it applies to a state."""
        counts = [state[name] for name in self.begins]
        return all(count.is_value() and "1" not in bits(count) for count in counts)


def among(terms: Terms, word: Term, values: Iterable[str]) -> Term:
    """Boolean: a word has one of these values."""
    return terms.any(terms.negated(terms.differ(word, terms.constant(v))) for v in values)


def instance(name: str) -> str:
    """The module instance of a register."""
    found = re.match(r"(.*\.)?u_[^.]*(?=\.)", name)
    return found[0] if found else ""


def packed(sizes: Mapping[str, int], limit: int) -> dict[str, list[str]]:
    """The smallest registers of each instance, up to `limit` bits together."""
    made: dict[str, list[str]] = {}
    for name in sorted(sizes, key=lambda n: (sizes[n], n)):
        names = made.setdefault(instance(name), [])
        if sum(sizes[n] for n in (*names, name)) <= limit:
            names.append(name)
    return made


def nested(sizes: Mapping[str, int]) -> list[tuple[str, ...]]:
    """One-bit registers of an instance with those of its parent: a port and its queue."""
    single: dict[str, list[str]] = {}
    for name, size in sorted(sizes.items()):
        if size == 1:
            single.setdefault(instance(name), []).append(name)
    found = []
    for inner, names in single.items():
        outer = max((o for o in single if o and inner.startswith(f"{o}.")), key=len, default=None)
        if outer and len(single[outer]) + len(names) <= TOGETHER:
            found.append((*single[outer], *names))
    return found


def solver(
    terms: Terms, late: Callable[[], bool], asserted: Iterable[Term], easy: bool = False
) -> Bitwuzla:
    """A solver with assertions that gives up when `late`.

    `easy`: queries are so small that preprocessing would cost more than solving.
    """
    options = Options()
    options.set(Option.PRODUCE_MODELS, True)
    options.set(Option.PREPROCESS, not easy)
    made, calls = Bitwuzla(terms.manager, options), count(1)
    # Polled ten thousand times a second: reading the clock every time would dominate.
    made.configure_terminator(lambda: next(calls) % SELDOM == 0 and late())
    for term in asserted:
        made.assert_formula(term)
    return made


def settle(near: Sequence[set[str]], look: Callable[[int], Iterable[str]]) -> None:
    """Call `look` on every index, and again on those `near` a name that a look returned."""
    users: dict[str, list[int]] = {}
    for i, names in enumerate(near):
        for name in names:
            users.setdefault(name, []).append(i)
    todo, waiting = deque(range(len(near))), set(range(len(near)))
    while todo:
        i = todo.popleft()
        waiting.discard(i)
        again = {k for name in look(i) for k in users.get(name, ())} - waiting
        todo.extend(sorted(again))
        waiting |= again


class Vacuous(ValueError):
    """The rules admit no inputs, so anything would follow from them."""


class Finder:
    """Finds lemmas of a sound system.

    Parameters
    ----------
    seconds : CPU time; lemmas not proved by then are dropped.
    """

    def __init__(self, sound: System, seconds: float) -> None:
        self.sound, self.end = sound, time.process_time() + seconds
        self.terms = Terms()
        self.state: State = {n: self._fresh(n, k) for n, k in sound.states.items()}
        self.inputs: State = {n: self._fresh(n, k) for n, k in sound.inputs.items()}
        known = {sound.states[n]: t for n, t in self.state.items()}
        known |= {sound.inputs[n]: t for n, t in self.inputs.items()}
        roots = {f"s {n}": k for n, k in sound.nexts.items()}
        roots |= {f"g {k}": k for k in sound.given}
        made = self.terms.work_out(sound, roots, known)
        simple = Bitwuzla(self.terms.manager, Options()).simplify_term
        self.after = {n: simple(made.get(f"s {n}", self.state[n])) for n in sound.states}
        self.given = {k: simple(self.terms.truth(made[f"g {k}"])) for k in sound.given}
        self.needed = supports(sound)
        self.later = {k: simple(term) for k, term in self._later().items()}
        self.off = []  # not in reset
        if RESET in self.inputs:
            self.off = [self.terms.negated(self.terms.truth(self.inputs[RESET]))]
        self.reset = self.reset_values()

    def _fresh(self, name: str, number: int) -> Term:
        return self.terms.fresh(self.sound, number, name)

    def _later(self) -> dict[int, Term]:
        """The small rules in the next clock, outside reset."""
        sound = self.sound
        known = {sound.states[n]: t for n, t in self.after.items()}
        known |= {k: self._fresh(f"next {n}", k) for n, k in sound.inputs.items()}
        if RESET in sound.inputs:
            known[sound.inputs[RESET]] = self.terms.constant("0")
        few = [k for k in sound.given if len(self.needed[k]) <= SMALL]
        made = self.terms.work_out(sound, {f"{k}": k for k in few}, known)
        return {k: self.terms.truth(made[f"{k}"]) for k in few}

    def reset_values(self) -> dict[str, str]:
        """Reset values of registers, without memories."""
        if RESET not in self.inputs:
            return {}
        known = {self.sound.states[n]: t for n, t in self.state.items()}
        known |= {self.sound.inputs[n]: t for n, t in self.inputs.items()}
        known[self.sound.inputs[RESET]] = self.terms.constant("1")
        after = self.terms.work_out(self.sound, self.sound.nexts, known)
        simple = Bitwuzla(self.terms.manager, Options())
        made = {}
        for name, term in after.items():
            if term.sort().is_bv() and (found := simple.simplify_term(term)).is_value():
                made[name] = bits(found)
        return made

    def groups(self) -> list[tuple[str, ...]]:
        """Groups of registers to find lemmas for."""
        sizes = {n: len(v) for n, v in self.reset.items() if n in self.sound.nexts}
        together = [tuple(g) for g in packed(sizes, TOGETHER).values() if len(g) > 1]
        inside = {name for group in together for name in group}
        alone = [(n,) for n, s in sizes.items() if s <= WIDEST and n not in inside]
        return sorted([*together, *alone, *nested(sizes)])

    def find(self) -> list[Lemma]:
        """Lemmas for all inputs, stronger ones under the rules, and lemmas of rounds."""
        self.refuse_vacuous()
        groups = self.groups()
        found = self.proved(groups)
        dropped = [g for g in groups if g not in {x.names for x in found}]
        parts = [g[:-1] for g in map(self._by_size, dropped) if len(g) > 2]  # without the widest
        parts += [(name,) for group in dropped if len(group) > 1 for name in group]
        dropped += parts
        found += self.proved(parts, found)
        if self.sound.given:
            # Groups without any lemma first: time may run out.
            for some in (dropped, [g for g in groups if g not in dropped]):
                said = {(x.names, x.values) for x in found}
                ruled = self.proved(some, found, ruled=True)
                found += [x for x in ruled if (x.names, x.values) not in said]
        return [*found, *self.timed(found)]

    def says(self, known: Iterable[Sentence]) -> list[tuple[set[str], Term]]:
        """(registers, Boolean) of each lemma and each rule."""
        always = [x for x in known if x.tells(self.state)]
        says = [(set(x.names), x.term(self.terms, self.state)) for x in always]
        return says + [(self.needed[line], term) for line, term in self.given.items()]

    def _by_size(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted(names, key=lambda name: len(self.reset[name])))

    def timed(self, known: Sequence[Lemma]) -> list[Lemma]:
        """Lemmas of the clock in which the longest round begins, under the rules.

        Values in one clock of a round lead to those in the next; a reset leads to clock 0.
        """
        if not (found := counters(self.sound)):
            return []
        counter, ruled = found[-1], bool(self.sound.given)
        groups = [g for g in self.groups() if set(counter.names).isdisjoint(g)]
        words = [self.terms.joined([self.state[n] for n in group]) for group in groups]
        near = [self.support(group) for group in groups]
        sources = [[k for k, g in enumerate(groups) if not s.isdisjoint(g)] for s in near]
        users = [[i for i, of in enumerate(sources) if k in of] for k in range(len(groups))]
        # By group and clock; None: any value.
        values: list[list[set[str] | None]] = [[set() for _ in counter.values] for _ in groups]
        for of, group in zip(values, groups, strict=True):
            of[0] = {self.joined_reset(group)}
        tick = self.terms.joined([self.state[n] for n in counter.names])
        says = self.says(known)
        # Every clock once: inputs alone may produce a value there.
        todo = deque(product(range(len(groups)), range(counter.clocks)))
        while todo:
            i, clock = todo.popleft()
            after = (clock + 1) % counter.clocks
            before = [(words[k], values[k][clock]) for k in sources[i]]
            if (seen := values[i][after]) is None or any(
                v is not None and not v for _, v in before
            ):
                continue
            now = self.terms.differ(tick, self.terms.constant(counter.values[clock]))
            held = [*self.off, self.terms.negated(now), *(t for of, t in says if of & near[i])]
            held += [among(self.terms, word, v) for word, v in before if v is not None]
            if more := self._outside(groups[i], seen, self.solver(held)):
                values[i][after] = None if more is True else seen | more
                todo.extend(each for k in users[i] if (each := (k, after)) not in todo)
        return [
            Lemma(group, tuple(sorted(of[0])), ruled, counter.names)
            for group, of in zip(groups, values, strict=True)
            if of[0] is not None
        ]

    def joined_reset(self, names: Sequence[str]) -> str:
        """Reset value of registers as one word."""
        return "".join(self.reset[name] for name in reversed(names))

    def refuse_vacuous(self) -> None:
        """Raise Vacuous if the rules admit no input in any state."""
        if self.solver([*self.given.values(), *self.off]).check_sat() == Result.UNSAT:
            raise Vacuous("the assertions in the RTL admit no inputs")

    # ---- induction -------------------------------------------------------------------------------

    def proved(
        self, groups: Sequence[tuple[str, ...]], known: Sequence[Lemma] = (), ruled: bool = False
    ) -> list[Lemma]:
        """Lemmas of groups of registers, with as many values as they need.

        Groups with a register without reset have none.
        """
        candidates = [Lemma(g, (), ruled) for g in groups if self.reset.keys() >= set(g)]
        values = [{self.joined_reset(c.names)} for c in candidates]
        alive = [True] * len(candidates)
        words = [self.terms.joined([self.state[n] for n in c.names]) for c in candidates]
        terms = [among(self.terms, w, v) for w, v in zip(words, values, strict=True)]
        known_terms = [(k, k.term(self.terms, self.state)) for k in known]
        near = [self.support(c.names) for c in candidates]
        asked: dict[int, Bitwuzla] = {}  # reused: setting up a solver is most of the work

        def look(i: int) -> Sequence[str]:
            names = candidates[i].names
            if not alive[i]:
                asked.pop(i, None)
                return ()
            held = [
                terms[k]
                for k, c in enumerate(candidates)
                if alive[k] and not near[i].isdisjoint(c.names)
            ]
            if i not in asked:
                # A reset leads to the value that every lemma starts with.
                always = [*self.off]
                always += [t for k, t in known_terms if not near[i].isdisjoint(k.names)]
                if candidates[i].ruled:
                    always += [t for k, t in self.given.items() if near[i] & self.needed[k]]
                    always += [
                        t for k, t in self.later.items() if not self.needed[k].isdisjoint(names)
                    ]
                asked[i] = self.solver(always)
            more = self._outside(names, values[i], asked[i], held)
            if more is True:
                alive[i] = False
            elif more:
                values[i] |= more
                terms[i] = among(self.terms, words[i], values[i])
            return names if more else ()

        settle(near, look)
        return [
            Lemma(c.names, tuple(sorted(v)), c.ruled)
            for c, v, lives in zip(candidates, values, alive, strict=True)
            if lives
        ]

    def support(self, names: Iterable[str]) -> set[str]:
        """Registers and inputs, without reset, that the next values of registers depend on."""
        return set().union(*(self.needed[self.sound.nexts[n]] for n in names)) - {RESET}

    def _outside(
        self, names: Sequence[str], values: set[str], asked: Bitwuzla, held: Sequence[Term] = ()
    ) -> set[str] | bool:
        """Next values not among `values`; True: too many, or unknown.

        `asked`: a solver for these registers, which gets the new values asserted; `held`: what
        else holds.
        """
        word = self.terms.joined([self.after[name] for name in names])
        other = self.terms.negated(among(self.terms, word, values))
        found: set[str] = set()
        while (result := asked.check_sat(other, *held)) == Result.SAT:
            value = bits(asked.get_value(word))
            found.add(value)
            if len(found) + len(values) > VALUES:
                return True
            asked.assert_formula(self.terms.differ(word, self.terms.constant(value)))
        return found if result == Result.UNSAT and not self.late() else True

    def late(self) -> bool:
        """Whether time is up."""
        return time.process_time() > self.end

    def solver(self, asserted: Iterable[Term]) -> Bitwuzla:
        """A solver with assertions for the time left."""
        return solver(self.terms, self.late, asserted, easy=True)
