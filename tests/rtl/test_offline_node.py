"""Nodes after synthesis: what off-line use leaves out, and how the rest grows."""

from pathlib import Path

import pytest

from fattree_bench.families.design import Block
from fattree_bench.families.leiserson.area import ACKNOWLEDGES, LOSSES
from fattree_bench.paths import ROOT
from fattree_bench.synthesis.synthesize import synthesize
from tests.night import some


def cost(top: str, folder: Path, unwatched: tuple[str, ...] = (), **parameters: object):
    """Gates and levels of a node."""
    block = Block(top, tuple(parameters.items()), ("leiserson",), unwatched=unwatched)
    return synthesize(block, ROOT / "rtl", folder)


@pytest.mark.parametrize("lanes", some([(2, 1), (4, 2), (7, 5), (11, 7), (16, 11)], 3))
def test_an_offline_node_is_small_and_flat(lanes, tmp_path, record_property):
    up, down = lanes
    found = cost("leiserson_offline_node", tmp_path, C_UP=up, C_DOWN=down, PIPELINE=0)
    record_property("lines", 2 * (up + 2 * down))
    record_property("gates", found.nand2)
    record_property("levels", found.levels)
    assert found.flip_flops == 0
    assert found.levels <= 30


@pytest.mark.parametrize("lanes", some([(2, 1), (3, 2)], 1))
def test_acknowledges_cost_gates(lanes, tmp_path, record_property):
    up, down = lanes
    node = {"C_UP": up, "C_DOWN": down, "CONCENTRATOR": '"PARTIAL"'}
    whole = cost("leiserson_node", tmp_path / "whole", LOSSES, **node)
    less = cost("leiserson_node", tmp_path / "less", LOSSES + ACKNOWLEDGES, **node)
    offline = cost("leiserson_offline_node", tmp_path / "offline", C_UP=up, C_DOWN=down)
    record_property("gates_whole", whole.nand2)
    record_property("gates_without_acknowledges", less.nand2)
    record_property("gates_off_line", offline.nand2)
    assert offline.nand2 < less.nand2 < whole.nand2
