"""The paper's requirements of a tree: which of them its plain trees meet, and which its optima."""

import math

import pytest

from fattree_models.xgft import design
from tests.models.xgft.test_optimum import ALLOWED, PLAIN, PUBLISHED


def kept(one, rule):
    """Whether a tree keeps to a rule at every level below its roots."""
    s, r, p = one.s, one.r, math.prod(one.s)
    return all(
        ALLOWED[rule](s[i], r[i], r[i + 1], math.prod(s[: i + 1]), p) for i in range(len(s) - 1)
    )


@pytest.mark.parametrize("p", PUBLISHED)
def test_plain_trees_break_the_seventh_equation(p, record):
    """(7) as printed no tree of this cost keeps, either of its repairs the optima alone."""
    repairs = "FULL", "RATIO"
    plain, best = design(PLAIN[p]), PUBLISHED[p]
    record(repairs_of_plain=sum(kept(plain, rule) for rule in repairs))
    record(repairs_of_optimum=sum(kept(best, rule) for rule in repairs))
    record(printed_of_plain=kept(plain, "PRINTED"), printed_of_optimum=kept(best, "PRINTED"))
    assert [kept(plain, rule) for rule in ("PRINTED", *repairs)] == [False] * 3
    assert [kept(best, rule) for rule in ("PRINTED", *repairs)] == [False, True, True]
