"""The bench can fail: every faulty design is caught, and its fault called by its name."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.paths import ROOT
from tests.cli import Cli, succeeds
from tests.tb.families.foreign.planted import PLANTED
from tests.tb.faults.faulty import DESIGNS, STOPPED, SWAPPED_CHILDREN, Faulty

# On Verilator a build takes ten seconds: one of each transport of a fault to the verdict.
ON_VERILATOR = (SWAPPED_CHILDREN,)
BENCHES = ROOT / "tb" / "fattree_bench"
AT_NIGHT = [design for design in DESIGNS if design.on_verilator]
SEEDED = next(d for d in DESIGNS if "overtakes" in d.name)  # its faults depend on the seed


def run(tb_cli: Cli, rtl: Path, variables: str, sim: str) -> subprocess.CompletedProcess[str]:
    return tb_cli("sim", f"RTL={rtl}", f"SIM={sim}", *variables.split())


def counts(output: str) -> dict[str, int]:
    """The faults that the report names, and how often each was seen."""
    return {name: int(count) for name, count in re.findall(r"^  (\w+): (\d+)$", output, re.M)}


@pytest.fixture
def faulty_rtl(request: pytest.FixtureRequest, rtl_copy: Path) -> Path:
    """The copy of rtl/, made faulty."""
    request.param.apply(rtl_copy)
    return rtl_copy


def check_caught(design: Faulty, result: subprocess.CompletedProcess[str], rtl: Path) -> None:
    output = result.stdout
    assert result.returncode == 1, output + result.stderr
    assert "FAIL" in output
    assert result.stderr == ""
    found = counts(output)
    assert (STOPPED in output) == (STOPPED in design.names), output
    assert design.rule in output, output
    assert design.place in " ".join(output.split()), output
    if design.rule:
        check_line(output, rtl)
    if STOPPED not in design.names:
        assert set(design.names) <= set(found), output
        assert kind.DEADLOCK not in found, output
        # What is not delivered is not acknowledged either: not a fault of its own.
        own = {n: c for n, c in found.items() if n != kind.ACKNOWLEDGE or n == design.names[0]}
        assert found[design.names[0]] == max(own.values()), output
    replay = re.search(r"replay: make sim (.*)", output)
    assert replay, output
    assert f"RTL={rtl}" in replay[1]
    assert "SEED=1" in replay[1]


def check_line(output: str, rtl: Path) -> None:
    """Of the rule that comes first, the line is named: its first (Verilator) or its last."""
    found = re.search(r"rule of the design: (.+?) \((\w+\.vh?):(\d+)[,)]", output)
    if found is None:
        assert "  ended by " in output
        return
    (path,) = [*rtl.rglob(found[2]), *BENCHES.rglob(found[2])]
    before, line, after = path.read_text().splitlines()[int(found[3]) - 2 : int(found[3]) + 1]
    whole = f"{line}{after}" if line.strip().startswith("`CHECK_") else line
    if "`CHECK_" in before and not before.endswith(")"):
        whole = before + whole
    words = re.sub(r"^parameter (\w+) = .*|: \d+ .*", lambda gone: gone[1] or "", found[1])
    assert f'"{words}"' in whole, output


def every_time() -> list[Faulty]:
    """One design of each folder of rtl/, and those that say so."""
    first = {d.edits[0].file.split("/")[0]: d for d in reversed(DESIGNS)}
    return [d for d in DESIGNS if d.daily or d in first.values()]


def variants(designs: Iterable[Faulty], often: Iterable[Faulty]) -> Any:
    """Cases of a test; what does not come often comes at night."""
    cases = [
        pytest.param(d, d, id=d.name, marks=() if d in often else (pytest.mark.nightly,))
        for d in designs
    ]
    return pytest.mark.parametrize(("design", "faulty_rtl"), cases, indirect=["faulty_rtl"])


@pytest.mark.usefixtures("icarus")
@variants(DESIGNS, every_time())
def test_icarus_catches(design: Faulty, faulty_rtl: Path, tb_cli: Cli) -> None:
    check_caught(design, run(tb_cli, faulty_rtl, design.variables, "icarus"), faulty_rtl)


@variants((*ON_VERILATOR, *AT_NIGHT), ON_VERILATOR)
def test_verilator_catches(design: Faulty, faulty_rtl: Path, tb_cli: Cli) -> None:
    check_caught(design, run(tb_cli, faulty_rtl, design.variables, "verilator"), faulty_rtl)


def all_runs() -> list[Any]:
    """The runs of all designs, those of the same network packed into one.

    Every time those of one design of each folder of rtl/, at night the others.
    """
    tests: dict[tuple[str, bool], dict[str, None]] = {}
    often = every_time()
    for design in DESIGNS:
        words = design.variables.split()
        network = " ".join(sorted(w for w in words if not w.startswith("TEST=")))
        chosen = next(w.removeprefix("TEST=") for w in words if w.startswith("TEST="))
        found = tests.setdefault((network, design in often), {})
        found.update(dict.fromkeys(chosen.split(",")))
    cases = []
    for (network, soon), names in sorted(tests.items()):
        done = {} if soon else tests.get((network, True), {})
        if left := [name for name in names if name not in done]:
            run = f"{network} TEST={','.join(left)}"
            cases.append(pytest.param(run, id=run, marks=() if soon else (pytest.mark.nightly,)))
    return cases


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("variables", all_runs())
def test_sound_copy_passes(variables: str, rtl_copy: Path, tb_cli: Cli) -> None:
    """What fails above fails for its fault: the same run of an unpatched copy passes."""
    text = succeeds(run(tb_cli, rtl_copy, variables, "icarus"))
    assert not counts(text)
    assert "replay:" not in text


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("faulty_rtl", [SEEDED], indirect=True, ids=["by-seed"])
def test_replay_line_repeats_the_failure(faulty_rtl: Path, tb_cli: Cli) -> None:
    first = run(tb_cli, faulty_rtl, f"{SEEDED.variables} SEED=7", "icarus")
    replay = re.search(r"replay: make (.*)", first.stdout)
    assert replay, first.stdout
    again = tb_cli(*replay[1].split())
    assert again.returncode == 1
    assert counts(again.stdout) == counts(first.stdout) != {}


def test_every_name_of_a_fault_is_produced() -> None:
    names = {v for k, v in vars(kind).items() if k.isupper() and isinstance(v, str)}
    produced = {name for d in DESIGNS for name in d.names} - {STOPPED}
    produced |= {name for fault in PLANTED for name in fault.says}  # into designs from elsewhere
    # Those that no design can cause are in test_verdict.py and test_cell_end.py; what a check of
    # the design would stop before is in test_flit_end.py, so is a deadlock.
    elsewhere = {kind.UNCHECKED, kind.SCHEDULE, kind.IMPOSSIBLE}
    elsewhere |= {kind.NOT_EMPTY, kind.DEADLOCK}
    elsewhere |= {kind.PLAYER}  # the fault of no design: test_players.py
    elsewhere |= {kind.REPORTED}  # by a user's component: test_own_tests.py
    elsewhere |= {kind.RAISED}  # by a user's sequence: test_exceptions.py
    assert produced == names - elsewhere


def rules() -> list[str]:
    """What the checks in the Verilog, of designs and of benches, say when they stop a run."""
    files = [*ROOT.glob("rtl/**/*.v"), *ROOT.glob("tb/fattree_bench/**/*.v")]
    call = re.compile(r'`CHECK_(?:ALWAYS|SHARED|ZERO)\([^"]*"([^"]*)"')
    return sorted({rule for file in files for rule in call.findall(file.read_text())})


@pytest.mark.parametrize("rule", rules())
def test_every_check_in_the_verilog_stops_a_design(rule: str) -> None:
    assert any(design.rule and design.rule in rule for design in DESIGNS)
