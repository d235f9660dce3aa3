"""`make bench` of the load-balanced switch: uniform traffic."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.traffic import cells
from fattree_bench.families.speed import Case, Image, Loop, Speed
from fattree_models.common.checks import Int32Array

LOAD = 0.9  # full frames, and queues that do not grow


def _case(sim: str, leaves: int, scheme: str) -> Case:
    return Case(sim, "lbbvn_switch", {"N": str(leaves), "SCHEME": scheme})


def _cells(network: LbbvnSwitch, rng: np.random.Generator) -> Int32Array:
    """A frame of the player."""
    return cells(rng, network, "uniform:self", LOAD, network.layout.slots)


class SwitchSpeed(Speed):
    """Frames of cells."""

    cases = (
        *(_case("verilator", n, scheme) for n in (16, 64) for scheme in ("BASIC", "FOFF")),
        _case("icarus", 16, "FOFF"),
    )
    counted = "cells"
    loop = Loop(("valid_i", "dst_i", "data_i"), ("valid_i",), ("valid_o",), clocks=2)
    sizes = (("line cards", "N"), ("scheme", "SCHEME"))
    note = f"uniform traffic, {LOAD:g} cells per line card and slot"

    def repeated(self, s: Stimulus) -> Iterator[CellFrame]:
        """The same arrivals again and again; the queues are never the same: all is predicted."""
        dst = _cells(s.network, np.random.default_rng(1))
        while True:
            yield CellFrame(dst, "uniform")

    def fresh(self, s: Stimulus) -> Iterator[CellFrame]:
        """New arrivals in every frame."""
        while True:
            yield CellFrame(_cells(s.network, s.rng), "uniform")

    def image(self, network: LbbvnSwitch, items: list[CellFrame]) -> bytes:
        """Slots as images of ports."""
        image = Image()
        image.word(0)
        image.slots(network, items)
        return image.bytes()


SPEED = SwitchSpeed()
