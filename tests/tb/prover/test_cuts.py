"""Where the terms of a mutant become those of the sound network."""

import pytest
from bitwuzla import Kind, Term

from fattree_bench.prover.btor import Terms
from fattree_bench.prover.cuts import Cuts


class Words:
    """Words of eight bits, and what is made of them."""

    def __init__(self) -> None:
        self.terms = Terms()
        sort = self.terms.manager.mk_bv_sort(8)
        self.a, self.b = (self.terms.manager.mk_const(sort, name) for name in "ab")
        self.zero = self.terms.constant("0" * 8)
        self.low = self.terms.constant("00001111")

    def make(self, kind: str, *words: Term) -> Term:
        return self.terms.manager.mk_term(getattr(Kind, f"BV_{kind}"), list(words))

    def settled(self, sound: Term, mutant: Term, *held: Term, seconds: float = 20.0) -> Term:
        cuts = Cuts(self.terms, held, seconds)
        return cuts.settled({"q": sound}, {"q": mutant})["q"]


def test_a_fault_ends_where_nobody_looks() -> None:
    """Of the bit that is inverted nothing is left behind the mask; the sum is the sound one."""
    w = Words()
    high = w.terms.constant("10000000")
    sound = w.make("ADD", w.make("AND", w.a, w.low), w.b)
    mutant = w.make("ADD", w.make("AND", w.make("XOR", w.a, high), w.low), w.b)
    assert sound != mutant and w.settled(sound, mutant) == sound


def test_what_can_differ_stays() -> None:
    w = Words()
    one = w.terms.constant("00000001")
    sound = w.make("ADD", w.make("AND", w.a, w.low), w.b)
    mutant = w.make("ADD", w.make("AND", w.make("XOR", w.a, one), w.low), w.b)
    assert w.settled(sound, mutant) == mutant


def test_part_of_it_ends() -> None:
    """Inside a term that differs there is one that does not: the mutant gets it."""
    w = Words()
    inner, same = w.make("NOT", w.make("NOT", w.a)), w.make("XOR", w.a, w.zero)
    sound, mutant = w.make("ADD", inner, w.b), w.make("ADD", same, w.make("NOT", w.b))
    assert w.settled(sound, mutant) == w.make("ADD", inner, w.make("NOT", w.b))


@pytest.mark.parametrize("told", [True, False])
def test_what_is_given_counts(told: bool) -> None:
    """Equal only where a is 0, which is given or not."""
    w = Words()
    zero = w.terms.negated(w.terms.differ(w.a, w.zero))
    elsewhere = w.terms.negated(w.terms.differ(w.b, w.zero))
    sound, mutant = w.make("MUL", w.a, w.b), w.make("MUL", w.a, w.make("NOT", w.b))
    assert w.settled(sound, mutant, zero if told else elsewhere) == (sound if told else mutant)


def test_no_time_no_cut() -> None:
    w = Words()
    sound = w.make("AND", w.a, w.zero)
    assert w.settled(sound, w.zero, seconds=20) == sound
    assert w.settled(sound, w.zero, seconds=-1) == w.zero
