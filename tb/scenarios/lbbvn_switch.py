"""Tests of the whole load-balanced Birkhoff-von Neumann switch."""

from collections.abc import Iterator

import numpy as np

from models import lbbvn_switch as switch
from models.traffic import Measurement
from tb.links.cell import CellFrame, Run
from tb.networks.lbbvn_switch import LbbvnSwitch
from tb.scenarios.base import Registry, Stimulus
from tb.sequences.cell import cells, cut, measured, random_run

LOADS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
PATTERNS = ("diagonal", "logdiagonal", "unbalanced:0.5", "randperm", "hotspot:0:0.05")

SCENARIOS = Registry()
scenario = SCENARIOS.add


@scenario()
def traffic(s: Stimulus) -> Iterator[CellFrame]:
    """Traffic of one's own: TRAFFIC, LOAD, INJECTION, measured for PERIODS periods."""
    work = s.network.workload
    yield from measured(s.network, random_run(s.rng, s.network, work.pattern_text, work.load))
