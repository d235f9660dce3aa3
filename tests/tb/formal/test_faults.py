"""Every rule of the catalogue is seen to fail, and its counter-example to play."""

from pathlib import Path

import pytest

from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.paths import ROOT
from tests.tb.faults.faulty import Edit
from tests.tb.formal import (
    crossing_faults,
    memory_faults,
    mft_faults,
    packet_faults,
    serial_faults,
    spin_faults,
    tree_faults,
)
from tests.tb.formal.proving import broken_rules, plays

FAULTS = (
    *tree_faults.FAULTS,
    *serial_faults.FAULTS,
    *packet_faults.FAULTS,
    *mft_faults.FAULTS,
    *memory_faults.FAULTS,
    *crossing_faults.FAULTS,
    *spin_faults.FAULTS,
)

# Rules by wrapper; the others have their turn at night.
SOME = {
    ("concentrator_proof", "C2"),
    ("lbbvn_node_proof", "N3"),
    ("lbbvn_tree_proof", "T1"),
    ("lbbvn_tree_proof", "T6"),
    ("concentrator_switch_proof", "S4"),
    ("leiserson_node_proof", "N5"),
    ("partial_graph_proof", "G1"),
    ("partial_stage_proof", "P5"),
    ("arbiter_proof", "A5"),
    ("xgft_output_unit_proof", "O1"),
    ("xgft_vc_allocator_proof", "V6"),
    ("xgft_route_proof", "R2"),
    ("mft_paths_proof", "P3"),
    ("lbbvn_slots_proof", "S2"),
    ("xgft_table_proof", "F1"),
    ("synchroniser_proof", "S2"),
    ("spin_descend_proof", "D3"),
}


def test_every_rule_has_a_fault() -> None:
    told = {(proof.top, rule) for proof in PROOFS.values() for rule in proof.texts()}
    assert {(PROOFS[name].top, rule) for name, rule, *_ in FAULTS} == told
    assert told >= SOME


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault[0]}-{fault[1]}")
def test_every_edit_fits(fault: tuple[str, ...]) -> None:
    """By day, too: what is planted at night is still there."""
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
