"""Reads BTOR2, as Yosys writes it, into terms of bitwuzla.

Terms are shared: two systems built over the same inputs and states share the terms of all equal
logic, so only the logic that differs is left to prove.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from bitwuzla import Kind, Sort, Term, TermManager

Word = list[str]

# BTOR2 operators with the operands of the bitwuzla kind.
SAME = ("not", "neg", "and", "or", "xor", "xnor", "add", "sub", "mul", "udiv", "urem", "concat")
PLAIN = {
    **{name: getattr(Kind, f"BV_{name.upper()}") for name in (*SAME, "redand", "redor", "redxor")},
    **{"sll": Kind.BV_SHL, "srl": Kind.BV_SHR, "sra": Kind.BV_ASHR},
    **{"read": Kind.ARRAY_SELECT, "write": Kind.ARRAY_STORE},
}
# Operators that yield a Boolean in bitwuzla and one bit in BTOR2.
TRUTH = {
    **{"eq": Kind.EQUAL, "neq": Kind.DISTINCT},
    **{"ult": Kind.BV_ULT, "ulte": Kind.BV_ULE, "ugt": Kind.BV_UGT, "ugte": Kind.BV_UGE},
    **{"slt": Kind.BV_SLT, "slte": Kind.BV_SLE, "sgt": Kind.BV_SGT, "sgte": Kind.BV_SGE},
}

CONSTANTS = ("const", "zero", "one", "ones", "constd", "consth")
INDEXED = {"slice": Kind.BV_EXTRACT, "uext": Kind.BV_ZERO_EXTEND, "sext": Kind.BV_SIGN_EXTEND}
INDICES = {"slice": 2, "uext": 1, "sext": 1}
MAKING = {*CONSTANTS, *INDEXED, *PLAIN, *TRUTH, "ite"}


class Node(NamedTuple):
    """How to build a term; kind None: a constant, or the operand itself."""

    words: Word
    kind: Kind | None
    operands: list[int]
    indices: list[int]
    truth: bool


def _node(words: Word) -> Node:
    what, indices = words[0], [int(n) for n in words[3 : 3 + INDICES.get(words[0], 0)]]
    kind = {**INDEXED, **PLAIN, **TRUTH, "ite": Kind.ITE}.get(what)
    if indices == [0]:  # extends by no bits
        kind, indices = None, []
    return Node(words, kind, _operands(words), indices, what in TRUTH)


@dataclass(eq=False)
class System:
    """A transition system: lines of BTOR2 by number; line numbers of ports and states by name.

    Attributes
    ----------
    given : lines constrained to be true.
    nameless : states without a name in the file, in order; they get one from NAMELESS.
    """

    lines: dict[int, Word] = field(default_factory=dict)
    inputs: dict[str, int] = field(default_factory=dict)
    states: dict[str, int] = field(default_factory=dict)
    nexts: dict[str, int] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)
    given: list[int] = field(default_factory=list)
    nameless: list[int] = field(default_factory=list)
    _orders: dict[tuple[frozenset[int], frozenset[int]], list[int]] = field(default_factory=dict)

    @cached_property
    def nodes(self) -> dict[int, "Node"]:
        """Constants and operators by line."""
        return {n: _node(words) for n, words in self.lines.items() if words[0] in MAKING}

    def ordered(self, roots: frozenset[int], known: frozenset[int]) -> list[int]:
        """Lines in the cone of the roots, operands first, without known lines and their cones."""
        if (roots, known) in self._orders:
            return self._orders[roots, known]
        found: set[int] = set()
        todo = list(roots)
        while todo:
            number = todo.pop()
            if number not in found and number not in known:
                found.add(number)
                todo += map(abs, self.nodes[number].operands)
        return self._orders.setdefault((roots, known), sorted(found))


def parse(text: str) -> System:
    """Read BTOR2.

    Raises
    ------
    ValueError : a line with an unsupported operator.
    """
    made = System()
    by_number: dict[int, str] = {}
    for line in text.splitlines():
        words = line.partition(";")[0].split()
        if not words:
            continue
        number, what = int(words[0]), words[1]
        made.lines[number] = words[1:]
        name = words[3] if len(words) > 3 else ""
        if what == "input":
            made.inputs[name or f"input {len(made.inputs)}"] = number
        elif what == "state":
            by_number[number] = name or NAMELESS.format(len(made.nameless))
            made.nameless += [] if name else [number]
            made.states[by_number[number]] = number
        elif what == "next":
            made.nexts[by_number[int(words[3])]] = int(words[4])
        elif what == "output":
            made.outputs[name] = int(words[2])
        elif what == "constraint":
            made.given.append(int(words[2]))
        elif what not in (*MAKING, "sort"):
            raise ValueError(f"unsupported: {line}")
    return made


State = dict[str, Term]  # registers, or ports, by name
RESET = "rst"
NAMELESS = "state {}"
NOWHERE = -1  # line of a register that the file no longer has


def rename_lost(system: System, sound: System) -> None:
    """Restore the name of a register that lost it because its output has the fault.

    A stuck one-bit register is missing altogether; its name is added, with no readers.  The other
    nameless states match those of the sound system in order.

    Raises
    ------
    ValueError : inputs or states differ by more than one register.
    """
    lost = sorted(_named(sound) - _named(system))
    shapes = [_shape(sound, number) for number in sound.nameless]
    found = [_shape(system, number) for number in system.nameless]
    places = [
        at
        for at, shape in enumerate(found)
        if lost
        and shape == _shape(sound, sound.states[lost[0]])
        and found[:at] + found[at + 1 :] == shapes
    ]
    same = found == shapes
    other = system.inputs.keys() != sound.inputs.keys() or bool(_named(system) - _named(sound))
    if other or len(lost) > 1 or not (same or places):
        raise ValueError(f"other inputs or states: {lost}, {len(found)} for {len(shapes)} nameless")
    if same:
        system.states |= dict.fromkeys(lost, NOWHERE)
        return
    before = sum(number < sound.states[lost[0]] for number in sound.nameless)
    at = min(places, key=lambda place: abs(place - before))
    names = [NAMELESS.format(each) for each in range(len(found))]
    new = [*names[:at], lost[0], *names[at:-1]]
    for part in (system.states, system.nexts):
        kept = {name: part.pop(name) for name in names if name in part}
        part |= {to: kept[name] for name, to in zip(names, new, strict=True) if name in kept}


def _named(system: System) -> set[str]:
    """States named in the file."""
    return {name for name, line in system.states.items() if line not in system.nameless}


def _shape(system: System, state: int) -> tuple[int, ...]:
    """Width of a state; of a memory, widths of its index and its words."""
    words = system.lines[int(system.lines[state][1])]
    if words[1] == "bitvec":
        return (int(words[2]),)
    return tuple(int(system.lines[int(sort)][2]) for sort in words[2:4])


class Terms:
    """Builds terms of systems under one term manager.

    Attributes
    ----------
    reads : every (memory, index) read so far, in order.
    """

    def __init__(self) -> None:
        self.manager = TermManager()
        self.reads: dict[tuple[Term, Term], None] = {}

    def sort(self, system: System, number: int) -> Sort:
        """The sort declared in a line."""
        words = system.lines[number]
        if words[1] == "bitvec":
            return self.manager.mk_bv_sort(int(words[2]))
        index, element = (self.sort(system, int(n)) for n in words[2:4])
        return self.manager.mk_array_sort(index, element)

    def fresh(self, system: System, number: int, name: str) -> Term:
        """A free constant of the sort of an input or state."""
        sort = self.sort(system, int(system.lines[number][1]))
        return self.manager.mk_const(sort, name)

    def work_out(
        self, system: System, roots: Mapping[str, int], known: Mapping[int, Term]
    ) -> dict[str, Term]:
        """Terms of the roots; `known`: terms of inputs and states by line number."""
        terms = dict(known)
        for number in system.ordered(frozenset(map(abs, roots.values())), frozenset(known)):
            terms[number] = self._term(system, system.nodes[number], terms)
        return {name: self._signed(terms, n) for name, n in roots.items()}

    def _signed(self, terms: Mapping[int, Term], number: int) -> Term:
        """An operand; a negative number means its bitwise inverse."""
        if number > 0:
            return terms[number]
        return self.manager.mk_term(Kind.BV_NOT, [terms[-number]])

    def _term(self, system: System, node: "Node", terms: Mapping[int, Term]) -> Term:
        operands = [self._signed(terms, n) for n in node.operands]
        if node.kind is None:
            return operands[0] if operands else self._constant(system, node.words)
        if node.kind == Kind.ITE:
            operands[0] = self.truth(operands[0])
        if node.kind == Kind.ARRAY_SELECT:
            self.reads[operands[0], operands[1]] = None
        if node.indices:
            return self.manager.mk_term(node.kind, operands, node.indices)
        made = self.manager.mk_term(node.kind, operands)
        return self.bit(made) if node.truth else made

    def _constant(self, system: System, words: Word) -> Term:
        make, what, sort = self.manager.mk_bv_value, words[0], self.sort(system, int(words[1]))
        size = sort.bv_size()
        values = {"zero": "0" * size, "one": "1".zfill(size), "ones": "1" * size}
        if what in values:
            return make(sort, values[what], 2)
        return make(sort, words[2], {"const": 2, "constd": 10, "consth": 16}[what])

    def truth(self, bit: Term) -> Term:
        """One bit as a Boolean."""
        one = self.manager.mk_bv_value(self.manager.mk_bv_sort(1), 1)
        return self.manager.mk_term(Kind.EQUAL, [bit, one])

    def any(self, terms: Iterable[Term]) -> Term:
        """Disjunction."""
        listed = list(terms)
        if len(listed) > 1:
            return self.manager.mk_term(Kind.OR, listed)
        return listed[0] if listed else self.manager.mk_false()

    def all(self, terms: Iterable[Term]) -> Term:
        """Conjunction."""
        return self.negated(self.any(map(self.negated, terms)))

    def negated(self, truth: Term) -> Term:
        """Negation of a Boolean."""
        return self.manager.mk_term(Kind.NOT, [truth])

    def differ(self, one: Term, other: Term) -> Term:
        """Boolean: two values differ."""
        return self.manager.mk_term(Kind.DISTINCT, [one, other])

    def bits(self, word: Term, low: int, count: int) -> Term:
        """`count` bits of a word from bit `low` up."""
        return self.manager.mk_term(Kind.BV_EXTRACT, [word], [low + count - 1, low])

    def slices(self, word: Term, count: int) -> list[Term]:
        """A word cut into `count` equal slices, lowest first."""
        size = word.sort().bv_size() // count
        return [self.bits(word, i * size, size) for i in range(count)]

    def joined(self, words: Sequence[Term]) -> Term:
        """The words concatenated, the first one lowest."""
        if len(words) == 1:
            return words[0]
        return self.manager.mk_term(Kind.BV_CONCAT, list(reversed(words)))

    def constant(self, bits: str) -> Term:
        """A constant from its bits, highest first."""
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(len(bits)), bits, 2)

    def bit(self, truth: Term) -> Term:
        """A Boolean as one bit."""
        sort = self.manager.mk_bv_sort(1)
        one, zero = self.manager.mk_bv_value(sort, 1), self.manager.mk_bv_value(sort, 0)
        return self.manager.mk_term(Kind.ITE, [truth, one, zero])


def _operands(words: Word) -> list[int]:
    """Operands of a line, negative if inverted."""
    if words[0] in CONSTANTS:
        return []
    operands = words[2:3] if words[0] in INDEXED else words[2:]
    return [int(n) for n in operands if re.fullmatch(r"-?\d+", n)]


def supports(system: System) -> dict[int, set[str]]:
    """Registers and inputs that each output, next state and constraint reads, by its line."""
    names = [*system.states.items(), *system.inputs.items()]
    masks = {line: 1 << i for i, (_, line) in enumerate(names)}
    for line in sorted(system.lines):  # operands come first
        if line not in masks:
            masks[line] = 0
            for operand in _operands(system.lines[line]):
                masks[line] |= masks.get(abs(operand), 0)
    made = {}
    for line in {*system.outputs.values(), *system.nexts.values(), *system.given}:
        mask = masks.get(abs(line), 0)
        made[line] = {name for i, (name, _) in enumerate(names) if mask >> i & 1}
    return made


def autonomous(system: System) -> set[str]:
    """Registers that depend only on each other and on the reset."""
    needed = supports(system)
    found = set(system.nexts)
    while more := {n for n in found if not needed[system.nexts[n]] <= {*found, RESET}}:
        found -= more
    return found


def observed(*systems: System) -> set[str]:
    """States that can reach an output of any of the systems, in this clock or a later one."""
    names = [{line: name for name, line in system.states.items()} for system in systems]
    todo = [(i, abs(line)) for i, n in enumerate(systems) for line in n.outputs.values()]
    seen: set[tuple[int, int]] = set()
    found: set[str] = set()
    while todo:
        if (place := todo.pop()) in seen:
            continue
        seen.add(place)
        i, line = place
        todo += [(i, abs(operand)) for operand in _operands(systems[i].lines[line])]
        name = names[i].get(line)
        if name is not None and name not in found:
            found.add(name)
            todo += [(k, abs(n.nexts[name])) for k, n in enumerate(systems) if name in n.nexts]
    return found


def is_true(term: Term) -> bool:
    """Whether a term is the constant true."""
    return bool(term.is_true())


def bits(word: Term) -> str:
    """Bits of a constant word, highest first."""
    return str(word.value(2)).zfill(word.sort().bv_size())
