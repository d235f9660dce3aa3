"""The clock-exact model in the place of the RTL."""

from fattree_bench.bench.wormhole.modelled import check, modelled
from fattree_bench.families.modelling import Modelling

MODELLING = Modelling(check, modelled)
