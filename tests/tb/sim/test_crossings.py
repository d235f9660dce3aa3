"""What crosses between clocks is found in the netlist, and allowed only as it should be."""

from pathlib import Path

import pytest

from fattree_bench.crossings import check, main, read
from fattree_bench.families import find
from tests.conftest import ROOT
from tests.night import some
from tests.tb.faults.faulty import Edit

SMALL = {"K": "2", "LEVELS": "2", "VCS": "1", "DEPTH": "2"}
FIFO, LINK = "common/async_fifo.v", "common/async_link.v"
UP = "assign valid_o = take ? vc : {VCS{1'b0}};"
VALUE = "assign value_o = chain[(SYNC-1)*WIDTH +: WIDTH];"


def troubles(rtl: Path, **variables: str) -> list[str]:
    return check(find("kary").from_variables(SMALL | variables), rtl)


@pytest.mark.parametrize("apart", some(["LINKS", "LEAVES", "NONE"], 1))
def test_a_sound_network(apart: str) -> None:
    assert troubles(ROOT / "rtl", ASYNC=apart) == []


def test_with_one_clock_nothing_is_added() -> None:
    """No block of a crossing is in the netlist, and every register has the one clock."""
    netlist = read(find("kary").from_variables(SMALL), ROOT / "rtl")
    blocks = ("async_", "u_sampler", "gray_", "u_reset")
    assert not [name for name in netlist.widths if any(block in name for block in blocks)]
    assert len({cell["connections"]["CLK"][0] for cell in netlist.registers}) == 1
    apart = read(find("kary").from_variables(SMALL | {"ASYNC": "LINKS"}), ROOT / "rtl")
    assert len({cell["connections"]["CLK"][0] for cell in apart.registers}) == 3


FAULTS = (
    ("a wire", LINK, UP, "assign valid_o = valid_i;", "without a synchroniser"),
    ("binary pointer", FIFO, ".leader_i(write_code)", ".leader_i(write_count)", "not Gray's"),
    (
        "pointer without a register",
        "common/gray_pointer.v",
        "assign code_o  = code_q;",
        "assign code_o  = next ^ (next >> 1);",
        "through logic",
    ),
    ("one flip-flop", "common/synchroniser.v", VALUE, "assign value_o = sampled;", "settled"),
    (
        "another clock's reset",
        FIFO,
        ".clk(read_clk), .rst(read_rst), .leader_i",
        ".clk(read_clk), .rst(write_rst), .leader_i",
        "without a synchroniser",
    ),
    (
        "a flag that is not brought over",
        FIFO,
        "(write_code == (read_seen ^ AHEAD))",
        "(write_code == (read_code ^ AHEAD))",
        "without a synchroniser",
    ),
    (
        "memory of the wrong clock",
        FIFO,
        "always @(posedge write_clk) if (write)",
        "always @(posedge read_clk) if (write)",
        "of another",
    ),
)


@pytest.mark.parametrize("fault", some(FAULTS, 1), ids=lambda fault: fault[0])
def test_a_fault_is_named(fault: tuple[str, ...], rtl_copy: Path) -> None:
    _, *edit, said = fault
    Edit(*edit).apply(rtl_copy)
    found = troubles(rtl_copy, ASYNC="LINKS")
    assert found and any(said in one for one in found), found


def test_the_command(rtl_copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Silence if all is well; else a line for each, and exit status 1; 2 for a user's mistake."""
    given = ("kary", *(f"{k}={v}" for k, v in SMALL.items()), "ASYNC=LINKS")
    assert main(str(rtl_copy), *given) == 0 and capsys.readouterr().out == ""
    Edit(LINK, UP, "assign valid_o = valid_i;").apply(rtl_copy)
    assert main(str(rtl_copy), *given) == 1
    assert "reaches" in capsys.readouterr().out.splitlines()[0]
    assert main(str(rtl_copy), "kary", "SYNC=1") == 2
    assert capsys.readouterr().out.startswith("SYNC=1: must be 2, 3 or 4")
