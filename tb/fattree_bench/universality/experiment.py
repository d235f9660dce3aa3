"""The experiment that a family offers."""

from fattree_bench.families import offered
from fattree_bench.families.experiment import Experiment

EXPERIMENT: Experiment = next(found for _, found in offered("universality", "EXPERIMENT"))
