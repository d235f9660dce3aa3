"""Every rule of serial blocks and trees is seen to fail, and its counter-example to play."""

from pathlib import Path

import pytest
from proving import broken_rules, edited, plays
from serial_faults import FAULTS

from tb.formal.catalogue import PROOFS

SOME = ("S4", "N5", "G1", "P5")  # the others have their turn at night


def test_every_rule_has_a_fault() -> None:
    for name in {proof for proof, *_ in FAULTS}:
        assert {rule for proof, rule, *_ in FAULTS if proof == name} == set(PROOFS[name].texts())


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(f, id=f"{f[0]}-{f[1]}", marks=() if f[1] in SOME else pytest.mark.nightly)
        for f in FAULTS
    ],
)
def test_a_fault_is_found(
    fault: tuple[str, ...], rtl_copy: Path, tmp_path: Path, icarus: None
) -> None:
    name, rule, file, old, new = fault
    edited(rtl_copy, file, old, new)
    found = broken_rules(name, rtl_copy, tmp_path)
    assert rule in found
    assert rule in plays(name, found[rule], rtl_copy, tmp_path)
