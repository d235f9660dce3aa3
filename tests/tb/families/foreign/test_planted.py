"""Each planted fault is found by its name, and every rule of a link is seen to speak."""

import re
import shutil
from pathlib import Path

import pytest

from fattree_bench.bench.interface import rules
from tests.cli import Cli, succeeds
from tests.tb.families.foreign.planted import PLANTED, Planted

DESIGNS = Path(__file__).parent / "designs"
CASES = [
    pytest.param(one, id=one.name, marks=() if one.daily else pytest.mark.nightly)
    for one in PLANTED
]


def copied(folder: Path, fault: Planted) -> Path:
    """A copy of a design with the fault in it; the file that describes it."""
    shutil.copytree(DESIGNS, folder, dirs_exist_ok=True)
    for ending, old, new in fault.edits:
        path = folder / f"{fault.design}{ending}"
        text = path.read_text()
        assert text.count(old) >= 1, f"{old!r}: edit is out of date"
        path.write_text(text.replace(old, new, 1))
    return folder / f"{fault.design}.toml"


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("fault", CASES)
def test_found_by_name(tb_cli: Cli, tmp_path: Path, fault: Planted) -> None:
    design = copied(tmp_path, fault)
    words = (f"DESIGN={design}", f"BUILD={tmp_path / 'build'}", f"TEST={fault.test}")
    sim = "verilator" if fault.design == "arrays" else "icarus"  # which knows no interfaces
    more = (f"SIM={sim}", f"AGENT={fault.agent}", "PERIOD=40")
    done = tb_cli("sim", "NETWORK=foreign", *more, *words)
    assert done.returncode == 1, done.stdout + done.stderr
    said = dict(re.findall(r"^  (\w+): (\d+)$", done.stdout, re.M))
    for name in fault.says:
        assert int(said.get(name, 0)) > 0, done.stdout
    if fault.line:
        assert re.search(rf"lines? of the log holds? '.*': {fault.line}", done.stdout), done.stdout
    if fault.rule:
        output = rf"(clock \d+|the first clock): (in|out)put \d+: {re.escape(fault.rule)}(;|$)"
        assert re.search(output, done.stdout, re.M), done.stdout


@pytest.mark.usefixtures("icarus")
def test_a_reset_that_counts_at_once_has_no_glitches(tb_cli: Cli, tmp_path: Path) -> None:
    """An edge between clocks would empty the ring, whose reset is asynchronous."""
    words = (f"DESIGN={DESIGNS / 'ring.toml'}", f"BUILD={tmp_path}", "PERIOD=40", "TEST=reset")
    succeeds(tb_cli("sim", "NETWORK=foreign", "SIM=icarus", *words))


def test_every_rule_is_seen_to_speak() -> None:
    known = {rule for table in (rules.SEND, rules.RECEIVE) for of in table.values() for rule in of}
    assert {fault.rule for fault in PLANTED if fault.rule} == known | {rules.WAITS}


def test_every_link_has_three_faults_and_one_by_day() -> None:
    for name in {fault.design for fault in PLANTED}:
        own = [fault for fault in PLANTED if fault.design == name]
        assert len(own) >= 3 and any(fault.daily for fault in own)
