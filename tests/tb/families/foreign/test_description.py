"""A wrong description is one line that names file, key, value and what is allowed."""

import re
from pathlib import Path

import pytest

from fattree_bench import Design as Described
from fattree_bench.bench.interface.adapters import ADAPTERS
from fattree_bench.bench.interface.design import Design
from fattree_bench.errors import UserError
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.paths import RTL
from fattree_bench.sim.build import build

DESIGNS = Path(__file__).parent / "designs"
CROSSBAR = (DESIGNS / "crossbar.toml").read_text().replace('"crossbar.v"', f'"{DESIGNS}/*.v"')
WRONG = (  # old, new, the message
    ('kind = "stream"', 'kind = "strem"', "link.kind = 'strem': must be stream, onoff, credit, "),
    ('kind = "stream"', 'kind = "strem"', "did you mean stream?"),
    ("inputs = 4", "imputs = 4", "design.imputs: no such key; there is top, sources, "),
    ("inputs = 4", "imputs = 4", "did you mean inputs?"),
    ("inputs = 4", 'inputs = "4"', "design.inputs = '4': must be a whole number, 1 … 256"),
    ("inputs = 4", "inputs = 0", "design.inputs = 0: must be a whole number, 1 … 256"),
    ("inputs = 4", "leaves = 4", "design.leaves: goes alone, or inputs and outputs do"),
    ("inputs = 4", "", "design.leaves: is missing"),
    ('top = "crossbar"', "", "design.top: is missing; it must be the name of the design's top"),
    ('top = "crossbar"', "top = 3", "design.top = 3: must be the name of the design's top"),
    (f"{DESIGNS}/*.v", "none/*.v", "design.sources: none/*.v: no such file below"),
    ("{inputs}", "{imputs}", "design.parameters.INPUTS = '{imputs}': may hold {leaves}, "),
    ('dest = "s_axis_tdest"', "", "link.send.dest: is missing; a word must say to which leaf"),
    ('ready = "s_axis_tready"', "", "link.send.ready: is missing; link.kind = 'stream' needs it"),
    ('last = "s_axis_tlast"', "", "link.send and of link.receive"),
    ('"s_axis_tdest"', '"s_axis_tdest:1"', "link.send.dest: 1 bits cannot hold 2, of leaf 2"),
    ('"s_axis_tdest"', '"s_axis_tdest:{x}"', "must be bits, as 8 or {width}/8"),
    ('"s_axis_tdest"', '"s axis"', "link.send.dest = 's axis': must be a Verilog name"),
    ("words = ", "word = ", "traffic.word: no such key; there is words, self, pairs; did you"),
    ('"1-12"', '"12-1"', "traffic.words = '12-1': "),
    ("width = 32", "width = 1", "1 bits cannot carry a tag of 15 bits; 15 words would"),
    ("order = true", "order = 1", "promises.order = 1: must be true, false, pair or channel"),
    ("accepts = { uniform = 0.4 }", "accepts = 0.4", "promises.accepts = 0.4: must be a table of"),
    ("uniform = 0.4", "uniform = 4", "promises.accepts.uniform = 4: must be a number, 0.001 … 1"),
    ("[reset]", "[reset", "is not TOML: "),
)


def network(folder: Path, text: str) -> ForeignNetwork:
    path = folder / "mine.toml"
    path.write_text(text)
    return ForeignNetwork.from_variables({"DESIGN": str(path)})


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_a_mistake_is_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in CROSSBAR, "the case is out of date"
    with pytest.raises(UserError) as caught:
        network(tmp_path, CROSSBAR.replace(old, new, 1))
    line = str(caught.value)
    assert "mine.toml: " in line and message in line and "\n" not in line, line


def test_no_design_is_one_line() -> None:
    for text, output in (("", "must be a TOML file"), ("no/such.toml", "no such file")):
        with pytest.raises(UserError, match=f"DESIGN={text}: {output}"):
            ForeignNetwork.from_variables({"DESIGN": text})


def test_a_design_tells_what_makes_it_again() -> None:
    for file in sorted(DESIGNS.glob("*.toml")):
        one = ForeignNetwork.from_variables({"DESIGN": str(file)})
        assert ForeignNetwork.from_variables(one.variables()) == one
        assert not one.design.path.is_relative_to(one.variables()["DESIGN"])


def test_traffic_that_there_is_no_way_for(tmp_path: Path) -> None:
    rows = tmp_path / "packets.csv"
    for row, output in (
        ("3,0,0,13", "packets of at most 12 flits"),
        ("0,3,0,1", "destinations must be 0 … 2"),
    ):
        rows.write_text(f"source,destination,release,flits\n{row}\n")
        with pytest.raises(UserError, match=output):
            ForeignNetwork.from_variables(
                {"DESIGN": str(DESIGNS / "crossbar.toml"), "MESSAGES": str(rows)}
            )


def test_a_narrow_word_spreads_the_tag() -> None:
    """Words of 16 bits and a tag of 21: two words a flit, and packets of even lengths only."""
    design = Design.read(str(DESIGNS / "credits.toml"))
    assert (design.words_a_flit, design.width, design.flits) == (2, 32, (1, 2, 3, 4, 5, 6))


def test_file_lists_are_read(tmp_path: Path) -> None:
    """Nested, with comments, macros, include folders and libraries; relative to their own place."""
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "inner.f").write_text("// a comment\n+incdir+.\n+define+A=1+B\n")
    (tmp_path / "all.f").write_text(f"-f more/inner.f  # one\n{DESIGNS}/crossbar.v\n-y more\n")
    files = network(tmp_path, CROSSBAR.replace(f"{DESIGNS}/*.v", "all.f")).design.files
    assert [path.name for path in files.sources] == ["crossbar.v"]
    assert files.includes == [tmp_path / "more"] and files.defines == {"A": "1", "B": ""}
    assert files.flags("icarus") == ["-DA=1", "-DB", f"-y{tmp_path / 'more'}"]


@pytest.mark.usefixtures("icarus")
def test_what_a_list_of_files_reads_is_part_of_a_build(tmp_path: Path) -> None:
    """A list of files, what it names, what that includes: an edit of each makes another build."""
    for path in DESIGNS.glob("counted.*"):
        (tmp_path / path.name).write_text(path.read_text())

    def seconds() -> float:
        design = Described.read(tmp_path / "counted.toml")
        return build(design.settings(SIM="icarus", BUILD=tmp_path / "build"), "FRAME").seconds

    assert seconds() > 0 and seconds() == 0
    for name, old, new in (
        ("counted.svh", "place + 2'd1", "place + 2'd3"),
        ("counted.sv", "~phase_q", "phase_q"),
        ("counted.f", "+incdir+.", "+incdir+.\n+define+MORE=1"),
    ):
        text = (tmp_path / name).read_text()
        assert old in text, "the case is out of date"
        (tmp_path / name).write_text(text.replace(old, new))
        assert seconds() > 0, name
        assert seconds() == 0, name


def bench_top(name: str) -> str:
    """Of one of the designs."""
    network = ForeignNetwork.from_variables({"DESIGN": str(DESIGNS / f"{name}.toml")})
    return network.rtl.generated("FRAME", RTL)["foreign_bench.v"]


def test_a_port_a_leaf_and_a_port_of_fields() -> None:
    cells = bench_top("cells")
    assert re.search(r"\.in2_cell\s*\(send_data\[80 \+: 40\]\)", cells)
    ring = bench_top("ring")
    assert "send_valid[g*1 +: 1], send_dest[g*3 +: 3], send_data[" in ring
    assert re.search(r"\.rst_n\s*\(~reset\)", ring)


def test_channels_by_number_are_wired_on_either_link(tmp_path: Path) -> None:
    """Also of a design with one channel, whose ports must not float."""
    text = (DESIGNS / "numbered.toml").read_text()
    text = text.replace('"numbered.v"', f'"{DESIGNS}/numbered.v"').replace("vcs = 3", "vcs = 1")
    path = tmp_path / "one.toml"
    path.write_text(text)
    _, receive = ADAPTERS["credit"](Design.read(str(path)))
    assert "assign receive_credit_vc[g*1 +: 1] = {1'b0};" in receive
    stops = text.replace("credit_vc", "#").replace("vcs = 1", "vcs = 2")
    for old, new in (("credit_o:2", "stop_o"), ("credit_i:2", "stop_i"), ("credits = 4", "")):
        stops = stops.replace(old, new)
    stops = stops.replace('credit = "', 'stop = "').replace('"credit"', '"onoff"')
    path.write_text(stops.replace('count = "count"', ""))
    send, receive = ADAPTERS["onoff"](Design.read(str(path)))
    assert "assign send_vc[g*1 +: 1] = {vc[1]};" in send
    assert "<< receive_vc[g*1 +: 1]" in receive
