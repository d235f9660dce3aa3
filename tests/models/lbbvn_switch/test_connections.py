"""Who meets whom: the permutations of the schedules."""

import numpy as np

from fattree_models.lbbvn_switch import connections
from tests.models.lbbvn_switch import brute_switch as brute
from tests.models.lbbvn_switch.cases import LEGAL


def test_connections_are_permutations_and_meet_once():
    for schedule in LEGAL["BASIC"]:
        for n in (1, 3, 8):
            for phase in connections(schedule, n):
                # Each pair meets once in N slots, and each slot is a permutation.
                assert (np.sort(phase, axis=0) == np.arange(2**n)[:, None]).all()
                assert (np.sort(phase, axis=1) == np.arange(2**n)).all()
            p, q = brute.connected(schedule, n, 2**n - 1)
            phases = connections(schedule, n)
            assert phases.to_middle[-1].tolist() == p
            assert phases.to_output[-1].tolist() == q
