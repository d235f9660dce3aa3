"""A netlist as terms of bitwuzla: reads BTOR2 as Yosys writes it.

Terms are shared: two netlists that are worked out over the same inputs and states have the same
terms wherever they are alike, and only where they are not is there anything to prove.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bitwuzla import Kind, Sort, Term, TermManager

Word = list[str]

# BTOR2 operators whose operands are used as they are.
SAME = ("not", "neg", "and", "or", "xor", "xnor", "add", "sub", "mul", "udiv", "urem", "concat")
PLAIN = {
    **{name: getattr(Kind, f"BV_{name.upper()}") for name in (*SAME, "redand", "redor", "redxor")},
    **{"sll": Kind.BV_SHL, "srl": Kind.BV_SHR, "sra": Kind.BV_ASHR},
    **{"read": Kind.ARRAY_SELECT, "write": Kind.ARRAY_STORE},
}
# Those that give a truth value, to be made one bit.
TRUTH = {
    **{"eq": Kind.EQUAL, "neq": Kind.DISTINCT},
    **{"ult": Kind.BV_ULT, "ulte": Kind.BV_ULE, "ugt": Kind.BV_UGT, "ugte": Kind.BV_UGE},
    **{"slt": Kind.BV_SLT, "slte": Kind.BV_SLE, "sgt": Kind.BV_SGT, "sgte": Kind.BV_SGE},
}


@dataclass
class Netlist:
    """Lines of BTOR2 by number; inputs, states and outputs by name; what is given as true.

    A state that has none gets one of its own; see `rename_lost`.
    """

    lines: dict[int, Word] = field(default_factory=dict)
    inputs: dict[str, int] = field(default_factory=dict)
    states: dict[str, int] = field(default_factory=dict)
    nexts: dict[str, int] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)
    given: list[int] = field(default_factory=list)


def parse(text: str) -> Netlist:
    """Read BTOR2.

    Raises
    ------
    ValueError : a line that is none of what is understood here.
    """
    made = Netlist()
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
            by_number[number] = name or f"state {len(made.states)}"
            made.states[by_number[number]] = number
        elif what == "next":
            made.nexts[by_number[int(words[3])]] = int(words[4])
        elif what == "output":
            made.outputs[name] = int(words[2])
        elif what == "constraint":
            made.given.append(int(words[2]))
        elif what in ("init", "bad", "fair", "justice"):
            raise ValueError(f"not understood: {line}")
    return made


State = dict[str, Term]  # registers, or ports, by name
NOWHERE = -1  # the line of a register that is not there


def rename_lost(netlist: Netlist, sound: Netlist) -> None:
    """Give a register whose output has a fault, and so no name any more, its name back.

    One of a single bit that is stuck is not there at all; it gets its name, and nothing reads it.

    Raises
    ------
    ValueError : the netlists have other inputs or states, but for one register.
    """
    lost = sorted(sound.states.keys() - netlist.states.keys())
    extra = sorted(netlist.states.keys() - sound.states.keys())
    if netlist.inputs.keys() != sound.inputs.keys() or len(extra) > len(lost) or len(lost) > 1:
        raise ValueError(f"other inputs or states: {lost}, {extra}")
    for old in lost:
        if extra:
            netlist.states[old] = netlist.states.pop(extra[0])
            netlist.nexts[old] = netlist.nexts.pop(extra[0])
        else:
            netlist.states[old] = NOWHERE


class Terms:
    """Makes terms of netlists under one term manager."""

    def __init__(self) -> None:
        self.manager = TermManager()

    def sort(self, netlist: Netlist, number: int) -> Sort:
        """The sort that a line declares."""
        words = netlist.lines[number]
        if words[1] == "bitvec":
            return self.manager.mk_bv_sort(int(words[2]))
        index, element = (self.sort(netlist, int(n)) for n in words[2:4])
        return self.manager.mk_array_sort(index, element)

    def fresh(self, netlist: Netlist, number: int, name: str) -> Term:
        """An unknown of the sort of an input or a state."""
        sort = self.sort(netlist, int(netlist.lines[number][1]))
        return self.manager.mk_const(sort, name)

    def work_out(
        self, netlist: Netlist, roots: Mapping[str, int], known: Mapping[int, Term]
    ) -> dict[str, Term]:
        """Terms of the roots, given those of inputs and states by line number."""
        terms = dict(known)
        for number in sorted(_needed(netlist, roots.values(), known)):
            terms[number] = self._term(netlist, netlist.lines[number], terms)
        return {name: _signed(self.manager, terms, n) for name, n in roots.items()}

    def _term(self, netlist: Netlist, words: Word, terms: Mapping[int, Term]) -> Term:
        make = self.manager.mk_term
        what, sort = words[0], self.sort(netlist, int(words[1]))
        if what in ("const", "zero", "one", "ones", "constd", "consth"):
            return self._constant(what, words, sort)
        if what in ("slice", "uext", "sext"):
            of = _signed(self.manager, terms, int(words[2]))
            indices = [int(n) for n in words[3:5]] if what == "slice" else [int(words[3])]
            kinds = {
                "slice": Kind.BV_EXTRACT,
                "uext": Kind.BV_ZERO_EXTEND,
                "sext": Kind.BV_SIGN_EXTEND,
            }
            return make(kinds[what], [of], indices) if what == "slice" or indices[0] else of
        operands = [_signed(self.manager, terms, int(n)) for n in words[2:]]
        if what == "ite":
            return make(Kind.ITE, [self.truth(operands[0]), *operands[1:]])
        if what in TRUTH:
            return self.bit(make(TRUTH[what], operands))
        if what in PLAIN:
            return make(PLAIN[what], operands)
        raise ValueError(f"not understood: {' '.join(words)}")

    def _constant(self, what: str, words: Word, sort: Sort) -> Term:
        make = self.manager.mk_bv_value
        size = sort.bv_size()
        values = {"zero": "0" * size, "one": "1".zfill(size), "ones": "1" * size}
        if what in values:
            return make(sort, values[what], 2)
        return make(sort, words[2], {"const": 2, "constd": 10, "consth": 16}[what])

    def truth(self, bit: Term) -> Term:
        """One bit as a truth value."""
        one = self.manager.mk_bv_value(self.manager.mk_bv_sort(1), 1)
        return self.manager.mk_term(Kind.EQUAL, [bit, one])

    def any(self, terms: Iterable[Term]) -> Term:
        """Whether one of these is true."""
        listed = list(terms)
        if len(listed) > 1:
            return self.manager.mk_term(Kind.OR, listed)
        return listed[0] if listed else self.manager.mk_false()

    def all(self, terms: Iterable[Term]) -> Term:
        """Whether all of these are true."""
        return self.negated(self.any(map(self.negated, terms)))

    def negated(self, truth: Term) -> Term:
        """Whether this is not true."""
        return self.manager.mk_term(Kind.NOT, [truth])

    def differ(self, one: Term, other: Term) -> Term:
        """Whether two values differ."""
        return self.manager.mk_term(Kind.DISTINCT, [one, other])

    def bits(self, word: Term, low: int, count: int) -> Term:
        """Some bits of a word."""
        return self.manager.mk_term(Kind.BV_EXTRACT, [word], [low + count - 1, low])

    def slices(self, word: Term, count: int) -> list[Term]:
        """A word, cut into as many of equal size, the lowest first."""
        size = word.sort().bv_size() // count
        return [self.bits(word, i * size, size) for i in range(count)]

    def joined(self, words: Sequence[Term]) -> Term:
        """Words as one, the first lowest."""
        if len(words) == 1:
            return words[0]
        return self.manager.mk_term(Kind.BV_CONCAT, list(reversed(words)))

    def constant(self, bits: str) -> Term:
        """A word, as its bits are written."""
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(len(bits)), bits, 2)

    def bit(self, truth: Term) -> Term:
        """A truth value as one bit."""
        sort = self.manager.mk_bv_sort(1)
        one, zero = self.manager.mk_bv_value(sort, 1), self.manager.mk_bv_value(sort, 0)
        return self.manager.mk_term(Kind.ITE, [truth, one, zero])


def _signed(manager: TermManager, terms: Mapping[int, Term], number: int) -> Term:
    """An operand; a minus before its number inverts it."""
    return terms[number] if number > 0 else manager.mk_term(Kind.BV_NOT, [terms[-number]])


def _needed(netlist: Netlist, roots: Any, known: Mapping[int, Term]) -> set[int]:
    """Lines on which the roots depend, but for what is known."""
    found: set[int] = set()
    todo = [abs(n) for n in roots]
    while todo:
        number = todo.pop()
        if number in found or number in known:
            continue
        found.add(number)
        todo += _operands(netlist.lines[number])
    return found


def _operands(words: Word) -> list[int]:
    """Lines that a line depends on."""
    if words[0] in ("const", "constd", "consth", "zero", "one", "ones"):
        return []
    operands = words[2:3] if words[0] in ("slice", "uext", "sext") else words[2:]
    return [abs(int(n)) for n in operands if re.fullmatch(r"-?\d+", n)]


def supports(netlist: Netlist) -> dict[int, set[str]]:
    """By line of an output, a next state or what is given: registers and inputs that it needs."""
    names = [*netlist.states.items(), *netlist.inputs.items()]
    masks = {line: 1 << i for i, (_, line) in enumerate(names)}
    for line in sorted(netlist.lines):  # operands come first
        if line not in masks:
            masks[line] = 0
            for operand in _operands(netlist.lines[line]):
                masks[line] |= masks.get(operand, 0)
    made = {}
    for line in {*netlist.outputs.values(), *netlist.nexts.values(), *netlist.given}:
        mask = masks.get(abs(line), 0)
        made[line] = {name for i, (name, _) in enumerate(names) if mask >> i & 1}
    return made


def observed(*netlists: Netlist) -> set[str]:
    """States on which outputs of one of the netlists depend, in the same clock or a later one."""
    names = [{line: name for name, line in netlist.states.items()} for netlist in netlists]
    todo = [(i, abs(line)) for i, n in enumerate(netlists) for line in n.outputs.values()]
    seen: set[tuple[int, int]] = set()
    found: set[str] = set()
    while todo:
        if (place := todo.pop()) in seen:
            continue
        seen.add(place)
        i, line = place
        todo += [(i, operand) for operand in _operands(netlists[i].lines[line])]
        name = names[i].get(line)
        if name is not None and name not in found:
            found.add(name)
            todo += [(k, abs(n.nexts[name])) for k, n in enumerate(netlists) if name in n.nexts]
    return found


def is_true(term: Term) -> bool:
    """Whether a term is the constant."""
    return bool(term.is_true())
