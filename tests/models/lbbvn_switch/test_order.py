"""Which schemes keep the order of the cells of a flow, and with which schedules."""

import numpy as np
import pytest

from fattree_models.lbbvn_switch import Switch, defaults, reordering
from tests.models.lbbvn_switch.cases import LEGAL, changing, roomy, traffic

ORDERED = ("UFS", "FOFF", "PADDED", "MAILBOX")


@pytest.mark.parametrize(
    ("scheme", "schedule"), [(scheme, name) for scheme in ORDERED for name in LEGAL[scheme]]
)
def test_schemes_keep_the_order(scheme, schedule):
    switch = Switch(roomy(3, scheme, schedule))
    for load in (0.1, 0.6, 0.95, 1.0):
        switch.reset()
        result = switch.run(traffic(load, 3000))
        assert len(result.drops) == 0
        assert reordering(result).late == 0
        assert reordering(result).cells > 800
    rng = np.random.default_rng(4)
    for n in (1, 2, 4):
        result = Switch(roomy(n, scheme, schedule)).run(changing(rng, 2**n, 3000))
        assert len(result.drops) == 0
        assert reordering(result).late == 0


@pytest.mark.parametrize("schedule", LEGAL["BASIC"])
def test_basic_reorders(schedule):
    late = reordering(Switch(defaults(3, "BASIC", schedule)).run(traffic(0.9, 5000)))
    assert late.share > 0.1
    assert late.most_cells > 8


def test_the_same_permutation_in_both_phases_loses_the_order():
    """Outputs must read the middles in the order in which inputs visit them."""
    late = {
        scheme: reordering(
            Switch(roomy(3, scheme, "SAME", unchecked=True)).run(traffic(0.9, 5000))
        ).late
        for scheme in ORDERED
    }
    assert late["UFS"] > 1000
    assert late["PADDED"] > 1000
    assert late["FOFF"] == 0  # the resequencer does not mind
    assert late["MAILBOX"] == 0  # nor does an exact departure slot, where the middle can say it
