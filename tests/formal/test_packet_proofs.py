"""Every rule of arbiters and wormhole switches is seen to fail, and its counter-example to play."""

from pathlib import Path

import pytest
from packet_faults import FAULTS
from proving import broken_rules, edited, plays

from tb.formal.catalogue import PROOFS
from tb.formal.packet import PACKET

SOME = ("A5", "O1", "V6", "R2")  # the others have their turn at night


def test_every_rule_has_a_fault() -> None:
    told = {(proof.top, rule) for proof in PACKET for rule in proof.texts()}
    assert {(PROOFS[name].top, rule) for name, rule, *_ in FAULTS} == told


@pytest.mark.parametrize(
    "fault",
    [pytest.param(f, id=f[1], marks=() if f[1] in SOME else pytest.mark.nightly) for f in FAULTS],
)
def test_a_fault_is_found(
    fault: tuple[str, ...], rtl_copy: Path, tmp_path: Path, icarus: None
) -> None:
    name, rule, file, old, new = fault
    edited(rtl_copy, file, old, new)
    found = broken_rules(name, rtl_copy, tmp_path, rule)
    assert rule in found
    assert rule in plays(name, found[rule], rtl_copy, tmp_path)
