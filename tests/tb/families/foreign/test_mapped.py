"""Crossbars of managers and memories: what works, and each planted fault found by its name."""

import re
import shutil
from pathlib import Path

import pytest

from fattree_bench import UserError
from fattree_bench.bench.interface.buses import KINDS
from fattree_bench.bench.interface.mapped import MappedDesign
from fattree_bench.cli import main
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.paths import RTL
from tests.cli import Cli, succeeds
from tests.tb.families.foreign.planted import Planted, read

HERE = Path(__file__).parent
DESIGNS = HERE / "designs"
FILES = {".ask": "mapped_ask.v", ".v": "axi4.v"}  # where no file has the design's name
PLANTED = read(HERE / "mapped.toml", HERE / "buses.toml")
CASES = [
    pytest.param(one, id=one.name, marks=() if one.daily else pytest.mark.nightly)
    for one in PLANTED
]
DAILY = [x if x == "axi4" else pytest.param(x, marks=pytest.mark.nightly) for x in KINDS]


def copied(folder: Path, fault: Planted) -> Path:
    """A copy of a design with the fault in it; the file that describes it."""
    shutil.copytree(DESIGNS, folder, dirs_exist_ok=True)
    for ending, old, new in fault.edits:
        own = folder / f"{fault.design.removesuffix('_pipelined')}{ending}"
        path = own if own.exists() else folder / FILES[ending]
        text = path.read_text()
        assert old in text, f"{old!r}: edit is out of date"
        path.write_text(text.replace(old, new, 1))
    return folder / f"{fault.design}.toml"


def found(tb_cli: Cli, tmp_path: Path, fault: Planted, sim: str) -> None:
    """A fault is named, and so is the rule that it breaks."""
    words = (f"DESIGN={copied(tmp_path, fault)}", f"BUILD={tmp_path / 'build'}")
    done = tb_cli("sim", f"SIM={sim}", "PERIOD=40", f"TEST={fault.test}", *words)
    assert done.returncode == 1, done.stdout + done.stderr
    said = dict(re.findall(r"^  (\w+): (\d+)$", done.stdout, re.M))
    for name in fault.says:
        assert int(said.get(name, 0)) > 0, done.stdout
    if fault.test == "values":  # what the accesses share is named
        assert "of their last word of data" in " ".join(done.stdout.split()), done.stdout
    if "WLAST" in fault.name:  # the rule comes before its results, at their port
        assert re.search(r"first fault +memory \d, clock \d+, .*: protocol: WLAST", done.stdout)
    if fault.rule:
        output = rf"(clock \d+|before the first clock): (in|out)put \d+: {re.escape(fault.rule)}$"
        assert re.search(output, done.stdout, re.M), done.stdout


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("fault", CASES)
def test_found_by_name(tb_cli: Cli, tmp_path: Path, fault: Planted) -> None:
    found(tb_cli, tmp_path, fault, "icarus")


@pytest.mark.parametrize("kind", DAILY)
def test_verilator_finds_one(tb_cli: Cli, tmp_path: Path, kind: str) -> None:
    found(tb_cli, tmp_path, next(one for one in PLANTED if one.design == kind), "verilator")


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    "kind", [*DAILY, pytest.param("wishbone_pipelined", marks=pytest.mark.nightly)]
)
def test_what_works_passes(tb_cli: Cli, tmp_path: Path, kind: str) -> None:
    words = (f"DESIGN={DESIGNS / kind}.toml", f"BUILD={tmp_path}", "PERIOD=40")
    succeeds(tb_cli("sim", "SIM=icarus", "TEST=uniform,pauses,reset", *words))


@pytest.mark.usefixtures("icarus")
def test_doctor_says_which_manager_reaches_which_memory(tb_cli: Cli, tmp_path: Path) -> None:
    fault = next(one for one in PLANTED if one.name.endswith("is passed on"))
    words = ("SIM=icarus", f"BUILD={tmp_path / 'build'}")
    said = succeeds(tb_cli("doctor", f"DESIGN={DESIGNS / 'axi4.toml'}", *words))
    rows = re.findall(r"^ +(\d) +(\d+) +(\d+) +(\d+|-) +(\d+|-) +works$", said, re.M)
    assert rows == [("0", "2", "2", "3", "3"), ("1", "2", "2", "3", "3"), ("2", "2", "2", "-", "-")]
    assert "latency counts" not in said
    done = tb_cli("doctor", f"DESIGN={copied(tmp_path, fault)}", *words)
    assert done.returncode == 1
    assert re.search(r"^ +1 +2 +0 +3 +\d +BAD$", done.stdout, re.M), done.stdout


# ---- descriptions --------------------------------------------------------------------------------


def network(folder: Path, text: str) -> ForeignNetwork:
    path = folder / "mine.toml"
    path.write_text(text)
    return ForeignNetwork.from_variables({"DESIGN": str(path)})


AXI4 = (DESIGNS / "axi4.toml").read_text().replace('"axi4.v", ', f'"{DESIGNS}/axi4.v", ')
AXI4 = AXI4.replace('"mapped_ask.v"', f'"{DESIGNS}/mapped_ask.v"')
WRONG = (
    ('kind = "axi4"', 'kind = "axi"', "link.kind = 'axi': must be stream, onoff, credit, "),
    ('kind = "axi4"', 'kind = "ahb"', "link.kind = 'ahb': not for these yet; there is stream, "),
    ('kind = "axi4"', 'kind = "axi4"\nvcs = 2', "link.vcs: no such key; there is kind, send, "),
    ('prefix = "s_axi_"', "", "link.send.awid: is missing; or name link.send.prefix"),
    ('prefix = "s_axi_"', 'prefx = "s_"', "link.send: prefx: there is prefix, awid, "),
    ('prefix = "s_axi_"', 'prefix = "s-"', "link.send.prefix = 's-': must be a Verilog name"),
    ('prefix = "m_axi_"', 'prefix = "m_"\nwdata = "a b"', "'a b': must be a Verilog name"),
    ('prefix = "m_axi_"', 'prefix = "m_"\nwdata = "~a"', "must be a port, as s_axi_wdata"),
    ("addresses = [0x0000, 0x1000]", "addresses = [0]", "link.addresses: must be 2 numbers"),
    ("0x1000]\nspans", "0x1010]\nspans", "link.addresses: 0x1010: must start at a multiple of 64"),
    ("0x1000]\nspans", "0xF000]\nspans = [1, 2] #", "link.addresses: 0x0: must start at a mult"),
    ("0x1000]\nspans", "0x0800]\nspans", "0x1000 bytes from 0x0 on: reaches into another"),
    ("0x1000]\nspans", "0xF800]\nspans", "0x1000 bytes from 0xf800 on: is above address_bits"),
    ("id_bits = 4", "id_bits = 4\nmemory_id_bits = 3", "link.memory_id_bits: must be id_bits or"),
    ("id_bits = 4", 'bursts = ["up"]', "link.bursts: 'up' in the list: must be incr, wrap or f"),
    ("id_bits = 4", "bursts = []", "link.bursts = []: must be some of incr, wrap, fixed"),
    ('["prot"]', '["prod"]', "link.extra: 'prod' in the list: must be lock, cache, prot, qos or"),
    ("width = 32", "width = 24", "design.width = 24: link.kind = 'axi4' has 8, 16, 32, "),
    ("[link]", '[traffic]\nwords = "1-2000"\n[link]', "2000 words of 32 bits are more than 4096"),
    ("reset = true", "order = true", "promises.order: is not for link.kind = 'axi4' yet"),
    ("reset = true", "drops = {}", "promises.drops: is not for link.kind = 'axi4' yet"),
    ("[limits]", "[taps]\n[limits]", "taps: no such key; there is design, link, "),
)


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_a_mistake_is_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in AXI4, "the case is out of date"
    with pytest.raises(UserError) as caught:
        network(tmp_path, AXI4.replace(old, new, 1))
    line = str(caught.value)
    assert "mine.toml: " in line and message in line and "\n" not in line, line


@pytest.mark.parametrize("kind", KINDS)
def test_new_begins_a_description(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "mine", "--link", kind, "--shim"]) == 2 and not [*tmp_path.iterdir()]
    assert "--shim: not for --link" in capsys.readouterr().err
    assert main(["new", "mine", "--link", kind]) == 0
    (tmp_path / "rtl").mkdir()
    (tmp_path / "rtl" / "mine.v").touch()
    text = re.sub(r"^# (?=[a-z_]+ = |\[)", "", (tmp_path / "mine.toml").read_text(), flags=re.M)
    for key in ("order", "latency", "drops", "accepts", "includes"):
        text = re.sub(f"^{key} =", "# =", text, flags=re.M)
    assert network(tmp_path, text).design.said.link.kind == kind


def test_a_port_a_leaf_and_names_in_capitals(tmp_path: Path) -> None:
    text = AXI4.replace('"s_axi_"', '"S{i}_AXI_"').replace(
        'prefix = "m_axi_"', 'prefix = "m_axi_"\nwdata = "data_{i}_o"'
    )
    made = network(tmp_path, text).rtl.generated("FRAME", RTL)["foreign_bench.v"]
    assert re.search(r"\.S2_AXI_AWADDR\s*\(send_awaddr\[32 \+: 16\]\)", made)
    assert re.search(r"\.data_1_o\s*\(receive_wdata\[32 \+: 32\]\)", made)
    assert re.search(r"\.m_axi_wstrb\s*\(receive_wstrb\)", made)


def test_an_interface_a_manager(tmp_path: Path) -> None:
    own = AXI4.replace("[reset]", 'declare = ["axi_if s [3] ()"]\nties = { from = "s" }\n[reset]')
    made = network(tmp_path, own.replace('"s_axi_"', '"s[{i}]."')).rtl.generated("FRAME", RTL)
    for text in ("s[1].awid = send_awid[4 +: 4]", "send_awready[2 +: 1] = s[2].awready"):
        assert f"  assign {text};\n" in made["foreign_bench.v"]


def test_each_rule_has_its_bit(tmp_path: Path) -> None:
    """The bits of all leaves' rules, each once, and what they are called."""
    design = network(tmp_path, AXI4).design
    assert isinstance(design, MappedDesign)
    made = network(tmp_path, AXI4).rtl.generated("FRAME", RTL)["foreign_bench.v"]
    bits: dict[int, tuple[str, str]] = {}
    for channel, first in re.findall(r"u_axi_(\w+) \([^;]*broken\[(\d+) \+: 5\]", made):
        bits |= {int(first) + k: (channel, "valid") for k in range(5)}
    for first, side, name, leaf in re.findall(
        r"broken\[(\d+)\] = ~quiet & \(\((\w+?)_(\w+)ready\[(\d+)\]", made
    ):
        bits[int(first)] = f"{'m' if side == 'send' else 's'}{leaf}_{name}", "ready is X"
    assert sorted(bits) == list(range(int(re.search(r"RULES += (\d+)", made)[1])))  # type: ignore[index]
    for number, (channel, says) in bits.items():
        rule, side, leaf = design.told(number)
        letter, name = channel.split("_")
        assert letter == f"{'m' if side == 'input' else 's'}{leaf}"
        assert f"{name}{says}" in rule


def test_addresses_that_nobody_owns(tmp_path: Path) -> None:
    design = network(tmp_path, AXI4).design
    assert isinstance(design, MappedDesign)
    assert (design.room, design.holes) == (64, [(0x2000, 0x10000)])
    gap = AXI4.replace("[0x0000, 0x1000]", "[0x8000, 0x1040]").replace("0x1000, 0x1000]", "64, 64]")
    holes = network(tmp_path, gap).design.holes  # type: ignore[attr-defined]
    assert holes == [(0, 0x1040), (0x1080, 0x8000), (0x8040, 0x10000)]
    assert network(tmp_path, AXI4.replace("id_bits", "holes = false\nid_bits")).design.holes == []  # type: ignore[attr-defined]
