"""The variables of `make mutate`, which need no solver."""

from fattree_bench import settings as declare
from fattree_bench.campaign import Common
from fattree_bench.families import DEFAULT, NETWORKS, find
from fattree_bench.settings import choice
from fattree_bench.sim import variables as v


class Asked(Common):
    """Which mutants to run."""

    network = declare.parsed(
        "NETWORK",
        DEFAULT,
        "with all its variables; by default about 16 leaves",
        lambda name: find(choice("NETWORK", name, tuple(NETWORKS))),
    )
    count = declare.number("COUNT", 300, 1, 5000, "faults")
    seed = v.Variables.seed.but(help="which faults, and the stimulus")
    mutant = declare.number(
        *("MUTANT", "", 1, lambda s: s.count, "number of a mutant: run only this one, in full"),
        usual=lambda _: 0,
    )
    seconds = declare.number("SECONDS", 20, 1, 3600, "CPU time for the proof of each survivor")
