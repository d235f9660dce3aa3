"""Valid and ready as others mean them, and resets that come late: sound designs pass."""

from pathlib import Path

import pytest

from fattree_bench import Design, UserError, run
from fattree_bench.bench.result import Test
from fattree_bench.cli import main
from fattree_bench.designs.findings import long_build, warnings
from fattree_bench.sim.build import Built

DESIGNS = Path(__file__).parent / "designs"
FALLS = (
    ("= wants[2*g + turn] ? turn : ~turn;", "= turn;"),
    ("= (wants[2*g +: 2] != 2'b00);", "= wants[2*g + turn];"),
)
pytestmark = pytest.mark.usefixtures("icarus")


def edited(folder: Path, name: str, *edits: tuple[str, str]) -> Path:
    """A copy of a design, with edits of its files."""
    for path in [*DESIGNS.glob(f"{name}.*"), DESIGNS / "credits.v"]:
        text = path.read_text()
        for old, new in edits:
            text = text.replace(old, new)
        (folder / path.name).write_text(text)
    return folder / f"{name}.toml"


def played(path: Path, *names: str, **variables: object) -> list[Test]:
    return run(Design.read(path), names, SIM="icarus", PERIOD=40, **variables)


def passes(tests: list[Test]) -> None:
    for test in tests:
        assert test.passed, test.details


@pytest.mark.parametrize("agent", ["FRAME", "AXI"])
def test_words_that_change_while_they_wait(agent: str, tmp_path: Path) -> None:
    """Also valid may fall: what stands there with ready counts."""
    path = edited(tmp_path, "turns")
    passes(played(path, "each_pair", "pauses", AGENT=agent))
    passes(played(edited(tmp_path, "turns", *FALLS), "pauses", AGENT=agent))


def test_stable_is_of_streams_alone(tmp_path: Path) -> None:
    path = edited(tmp_path, "late", ("vcs = 2", "stable = false"))
    with pytest.raises(
        UserError, match=r"link\.stable: is of link\.kind = 'stream', not of 'credit'"
    ):
        Design.read(path)


def test_a_reset_through_registers(tmp_path: Path) -> None:
    passes(played(edited(tmp_path, "late"), "each_pair", "reset"))


def test_words_in_a_reset_are_not_mixed_into_later_packets(tmp_path: Path) -> None:
    """Nothing is said of a late reset: the rule speaks, and nothing else."""
    path = edited(tmp_path, "late", ("late = 3", "clocks = 6\nwait = 3"))
    passes(played(path, "each_pair"))  # valid may be unknown until the first reset is through
    (reset,) = played(path, "reset")
    assert reset.result is not None and set(reset.result.faults) == {"protocol"}, reset.details
    assert "valid is high in reset; if the" in str(reset.details)
    assert min(reset.result.accounts.values()) >= 0, reset.result.accounts


def test_doctor_tells_what_waits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = edited(
        tmp_path, "turns", ("(wants[2*g +: 2] != 2'b00)", "(|wants[2*g +: 2]) & out_ready[g]")
    )
    assert main(["doctor", f"DESIGN={path}", "SIM=icarus"]) == 1
    output = capsys.readouterr().out
    assert "4 of 4 packets" in output and "BAD  waits     ready of 2 inputs waits for" in output
    assert "output 0: valid waits for ready; valid must" in output and "all leaves" not in output
    inner = ("endmodule", "  one u_one (.other(clk));\nendmodule\nmodule one (input a); endmodule")
    edited(tmp_path, "turns", inner)
    assert main(["doctor", f"DESIGN={path}", "SIM=icarus"]) == 1
    assert "an instance inside the design names port other, which" in capsys.readouterr().out


def test_sim_is_named_where_it_is_the_reason(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = edited(tmp_path, "turns", ("leaves = 2", 'leaves = 2\nlanguage = "1800-2017"'))
    assert main(["regress", f"DESIGN={path}", "SIM=icarus", "DRYRUN=1", f"BUILD={tmp_path}"]) == 2
    assert (
        "SIM=icarus TIER=smoke: the testplan has no such run; it runs on verilator alone"
        in capsys.readouterr().err
    )


def test_long_builds_and_warnings_of_our_own(tmp_path: Path) -> None:
    built = Built(tmp_path, "top", 94.3, "verilator", False)
    log = f"%Warning-W: {tmp_path}/top.v:9:1: of ours\n%Warning-W: /a.v:1:1: x\n"
    (tmp_path / "build.log").write_text(log)
    assert warnings(built, lambda _: []) == ["W: /a.v:1:1: x"]
    assert len(warnings(built, lambda line: [line])) == 2
    both, one = (type("Of", (), {"sims": x}) for x in (("verilator", "icarus"), ("verilator",)))
    assert "94 s; SIM=icarus gives" in long_build(built, both)[0] and not long_build(built, one)
