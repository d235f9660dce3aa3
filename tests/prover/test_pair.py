"""What is asked of a mutant and the sound network: what was held once is not held for ever."""

import time

from bitwuzla import Kind, Result

from fattree_prover.btor import Terms, parse
from fattree_prover.hints import NONE
from fattree_prover.lemmas import solver
from fattree_prover.pair import Asked, Pair

# The mutant shows a only where b is 1.
SOUND = """
1 sort bitvec 1
2 input 1 rst
3 input 1 a
4 input 1 b
5 and 1 3 4
6 output {shown} shown_o
"""


def pair() -> Pair:
    sound, mutant = (parse(SOUND.format(shown=shown)) for shown in (3, 5))
    return Pair(sound, mutant, time.process_time() + 20, NONE)


def test_each_question_is_of_what_is_held() -> None:
    """Of the first one, which is asked alone, and of those that share a solver."""
    p = pair()
    b = p.terms.truth(p.given(0)["b"])
    asked = Asked(p, [b])
    for _ in range(3):
        assert asked.model(p.terms.negated(b)) is None
        assert asked.model(b) is not None


def test_a_solver_gives_up_when_it_is_late() -> None:
    """Two factors of a number of 52 bits, the product of two primes: some seconds of work."""
    terms = Terms()
    make, sort = terms.manager, terms.manager.mk_bv_sort(52)
    one, other = (make.mk_const(sort, name) for name in ("one", "other"))
    limit, product = make.mk_bv_value(sort, 1 << 26), make.mk_bv_value(sort, 67108859 * 67108837)
    asserted = [make.mk_term(Kind.BV_ULT, [factor, limit]) for factor in (one, other)]
    asserted.append(make.mk_term(Kind.BV_ULT, [one, other]))
    asserted.append(make.mk_term(Kind.EQUAL, [make.mk_term(Kind.BV_MUL, [one, other]), product]))
    calls: list[int] = []
    assert solver(terms, lambda: not calls.append(1), asserted).check_sat() == Result.UNKNOWN
    assert len(calls) == 1
