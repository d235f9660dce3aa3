"""Files of fabrics as people save them: prompts, marks of encodings, loop-backs, speeds."""

import codecs
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.command import fabric_of, read
from fattree_models.xgft import kary
from tests.cli import Cli, succeeds
from tests.models.topology.fabrics import cables
from tests.tb.topology.samples import ibnetdiscover

IB = ibnetdiscover(cables(kary(2, 3), ports=True))
SPEEDS = {  # of an edge list, DOT and GraphML
    "x.csv": "source,target,speed\nh0,s,100\nh1,s,4xDDR\nh2,s,100\n",
    "x.dot": 'graph {h0 -- s [speed=100]; h1 -- s [speed="4xDDR"]; h2 -- s [speed=100]}',
    "x.graphml": '<graphml><key id="k" for="edge" attr.name="speed" attr.type="string"/>'
    '<graph edgedefault="undirected"><node id="h0"/><node id="h1"/><node id="h2"/><node id="s"/>'
    + "".join(
        f'<edge source="{h}" target="s"><data key="k">{x}</data></edge>'
        for h, x in {"h0": "100", "h1": "4xDDR", "h2": "100"}.items()
    )
    + "</graph></graphml>",
}


@pytest.mark.parametrize(
    ("save", "left_out"),
    [
        (lambda text: f"[root@sm ~]# ibnetdiscover\n{text}[root@sm ~]# exit\n", "line 1: "),
        (lambda text: f"$ sudo ibnetdiscover\n\n{text}\n$\n", "line 1: '$ sudo ibnetdiscover'"),
        (lambda text: text.replace("\n", "\r\n"), ""),
    ],
    ids=["prompt in brackets", "prompt", "Windows' line ends"],
)
def test_what_a_terminal_adds_is_left_out(
    save: Callable[[str], str], left_out: str, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_text(save(IB))
    found = read(str(path))
    assert len(found.links) == 24 and found.nodes == read_of(IB, tmp_path).nodes
    assert [note.partition(left_out)[1] for note in found.notes] == [left_out] * bool(left_out)


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_marks_of_encodings(mark: str, tmp_path: Path) -> None:
    start = codecs.BOM_UTF16_BE if mark == "utf-16-be" else b""
    (tmp_path / "x").write_bytes(start + IB.encode(mark))
    assert read(str(tmp_path / "x")).nodes == read_of(IB, tmp_path).nodes


def read_of(text: str, folder: Path) -> Cabling:
    (folder / "plain").write_text(text)
    return read(str(folder / "plain"))


def test_a_description_without_quotes(tmp_path: Path) -> None:
    text = IB.replace('# "h0"\n', "# node007\n", 1)
    assert text != IB
    found = read_of(text, tmp_path)
    assert "node007" in found.nodes and len(found.links) == 24


def test_a_loop_back_is_left_out(tmp_path: Path) -> None:
    """Of a switch to itself, at both of its ports; also in other files."""
    switch = next(line for line in IB.splitlines() if line.startswith("Switch"))
    key = switch.split('"')[1]
    wide = switch.replace("Switch\t4", "Switch\t6")
    loops = "".join(f'[{p}]\t"{key}"[{q}]\t\t# "s" lid 1 4xEDR\n' for p, q in ((5, 6), (6, 5)))
    found = read_of(IB.replace(f"{switch}\n", f"{wide}\n{loops}"), tmp_path)
    name = switch.split('"')[3]
    assert found.notes == [f"left out, from a node to itself: {name} ports 5 and 6"]
    assert len(found.links) == 24
    (tmp_path / "x.csv").write_text("source,target\na,s\nb,s\ns,s\n")
    found = read(str(tmp_path / "x.csv"))
    assert len(found.links) == 2 and found.notes == ["left out, from a node to itself: s"]


@pytest.mark.parametrize("name", SPEEDS)
def test_speeds_are_read(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(SPEEDS[name])
    found = read(str(tmp_path / name))
    assert found.speeds == [100.0, 20.0, 100.0]
    assert fabric_of(name, found).ratio.tolist() == [1, 5, 1]


def test_a_slow_cable_among_fast_ones_is_named(tb_cli: Cli, tmp_path: Path) -> None:
    """Between two switches, stated at both ends; all that it costs is counted."""
    lines = IB.splitlines(keepends=True)
    (tmp_path / "sound").write_text(IB)
    ends = [k for k, line in enumerate(lines) if '"agg0"' in line or '"leaf0"' in line]
    cable = [k for k in ends if lines[k].startswith("[") and "S-" in lines[k]]
    one = next(k for k in cable if '"agg0"' in lines[k])
    other = next(k for k in cable if '"leaf0"' in lines[k])
    for k in (one, other):
        lines[k] = lines[k].replace("4xEDR", "4xDDR")
    (tmp_path / "slow").write_text("".join(lines))
    output = succeeds(tb_cli("topology", str(tmp_path / "sound")))
    assert "SPEED" not in output and "counts as often" not in output
    done = tb_cli("topology", str(tmp_path / "slow"))
    assert done.returncode == 1, done.stderr
    for words in (
        "SPEED: leaf0 port 3 – agg0 port 1 runs at 20 Gb/s, 7 of its 7 peers at 100",
        "this is XGFT(3; 2,2,2; 1,2,2)",
        "a packet counts as often as its cable is slower than the fastest",
        "FAIL  breaks SPEED",
    ):
        assert words in done.stdout
