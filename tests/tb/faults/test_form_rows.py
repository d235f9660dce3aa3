"""The testplan runs both forms of wormhole switches, and planted faults the form that has them."""

from fattree_bench.bench.form import SYNTHESIZED
from fattree_bench.families import NETWORKS
from fattree_bench.testplan import read
from tests.tb.faults.faulty import DESIGNS


def test_both_forms_are_in_the_nightly_plan() -> None:
    """Code coverage is of what is synthesized; the fast form also runs at small sizes."""
    plan = read()
    rows = {
        name: row
        for name, row in plan.configurations.items()
        if "wormhole" in (kind := NETWORKS[row.network]).about.kin and kind.name != "turnback"
    }
    assert {row.variables["FORM"] for row in rows.values()} == {"FAST", "HARDWARE"}
    assert {row.variables["FORM"] for row in rows.values() if row.code} == set(SYNTHESIZED.values())
    for name in ("kary-4", "kary-8-adaptive-classes", "xgft-12-smodk-keep", "ruft-8-classes"):
        one, other = rows[name], rows[f"fast-{name}"]
        assert one.variables == other.variables | SYNTHESIZED
        assert other in plan.of(plan.testpoints["both forms of a switch"])
        assert "nightly" in one.tiers and "nightly" in other.tiers
        assert other.built.exact  # all links in all clocks


def test_faults_of_hardware_run_as_hardware() -> None:
    """So that none is built twice, and none passes as its file is not in the build."""
    only = ("core", "input_unit", "output_unit", "queue", "table", "rules", "allocator", "arrivals")
    found = [
        design
        for design in DESIGNS
        if any(e.file.startswith("wormhole/") and e.file[:-2].endswith(only) for e in design.edits)
        and "NETWORK=turnback" not in design.variables
    ]
    assert len(found) > 40
    assert [d.name for d in found if "FORM=HARDWARE" not in d.variables] == []
