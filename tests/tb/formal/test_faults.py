"""Every rule of the catalogue is seen to fail, and its counter-example to play."""

from importlib import import_module
from pathlib import Path

import pytest

from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.paths import ROOT
from tests.tb.faults.faulty import Edit
from tests.tb.formal.proving import broken_rules, plays

OWN = sorted((ROOT / "tests").rglob("proof_faults.py"))
MODULES = [
    *(f"formal.{name}_faults" for name in ("tree", "serial", "packet", "memory", "crossing")),
    *(f"families.{p.parent.name}.{p.stem}" for p in OWN),
]
MADE = [import_module(f"tests.tb.{name}") for name in MODULES]
FAULTS = [fault for module in MADE for fault in module.FAULTS]

# Rules by wrapper; the others have their turn at night.
DAILY = """concentrator_proof.C2 lbbvn_node_proof.N3 lbbvn_tree_proof.T1 lbbvn_tree_proof.T6
  concentrator_switch_proof.S4 leiserson_node_proof.N5 partial_graph_proof.G1
  partial_stage_proof.P5 arbiter_proof.A5 xgft_output_unit_proof.O1 xgft_vc_allocator_proof.V6
  xgft_route_proof.R2 xgft_forms_proof.F1 lbbvn_slots_proof.S2 xgft_table_proof.F1
  xgft_table_proof.F2 synchroniser_proof.S2"""
BY_DAY = [rule for module in MADE for rule in getattr(module, "BY_DAY", ())]
SOME = {*(tuple(word.split(".")) for word in DAILY.split()), *BY_DAY}


def test_every_rule_has_a_fault() -> None:
    output = {(proof.top, rule) for proof in PROOFS.values() for rule in proof.texts()}
    assert {(PROOFS[name].top, rule) for name, rule, *_ in FAULTS} == output >= SOME


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault[0]}-{fault[1]}")
def test_every_edit_fits(fault: tuple[str, ...]) -> None:
    """Also by day: what is planted at night is still there."""
    _, _, file, old, _, *times = fault
    assert (ROOT / "rtl" / file).read_text().count(old) == (times or [1])[0]


def cases() -> list[object]:
    return [
        pytest.param(
            fault,
            id=f"{fault[0]}-{fault[1]}",
            marks=() if (PROOFS[fault[0]].top, fault[1]) in SOME else pytest.mark.nightly,
        )
        for fault in FAULTS
    ]


@pytest.mark.parametrize("fault", cases())
def test_a_fault_is_found(
    fault: tuple[str, ...], rtl_copy: Path, tmp_path: Path, icarus: None
) -> None:
    name, rule, *edit = fault
    Edit(*edit).apply(rtl_copy)
    found = broken_rules(name, rtl_copy, tmp_path, rule)
    assert rule in found
    assert rule in plays(name, found[rule], rtl_copy, tmp_path)
