"""Descriptions in less usual shapes: what they become, and that a mistake costs one line."""

from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench.interface.kinds import KINDS
from fattree_bench.errors import UserError
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.families.foreign.traffic import skipped
from fattree_bench.paths import RTL
from tests.cli import Cli, succeeds

DESIGNS = Path(__file__).parent / "designs"
ROUTER = (DESIGNS / "router.toml").read_text().replace('"router.v"', f'"{DESIGNS}/router.v"')
WRONG = (  # old, new, the message
    ('kind = "stream"', 'kind = "stream"\nlag = 3', "link.lag: is of link.kind = 'onoff', not"),
    ('kind = "stream"', 'kind = "stream"\ncredits = 9', "link.credits: is of link.kind = 'credit'"),
    ('"valid pad:1', '"valid:2 pad:1', "link.send.valid: 2 bits; link.vcs = 1: must be 1"),
    ('"~full_{i}"', '"~full_{i}:3"', "link.send.ready: 3 bits; link.vcs = 1: must be 1"),
    ('ready = "~full_{i}"', 'ready = "~"', "link.send.ready = '': must be a"),
    ('packet = "in_{i}"', 'packet = "~in_{i}"', "link.send.packet = '~in_{i}': must be the name"),
    ("valid pad:1 dest:4", "valid pad dest:4", "link.send.fields: pad: must be bits"),
    ("valid pad:1 dest:4", "valid pad:0 dest:4", "link.send.fields: pad:0: must be 1 …"),
    ("valid pad:1 dest:4", "valid ~pad:1 dest:4", "link.send.fields: ~pad:1: must be pad:BITS"),
    ("valid pad:1 dest:4", "valid ~ready dest:4", "link.send.fields: ready goes the other way"),
    ("tail = 2, single = 3", "tail = 2, single = 2", "link.types: must be different codes"),
    ("dest:4 type data", "dest:4 type:1 data", "link.send.type: 1 bits cannot hold each of link"),
    ("tail = 2, single = 3", "single = 3", "link.types: goes with a field type: codes of head, bo"),
    ("tail = 2, single = 3", "tail = 2, last = 3", "link.types: goes with a field type: codes of"),
    (", single = 3", "", "traffic.words = '1-8': one word needs a code single in"),
    ("types = {", "types = {} #", "link.types: goes with a field type: codes of head, body, tail"),
    ("dest:4 type data", "dest:4 data", "traffic.words = '1-8': packets of several lengths need"),
    ('"NESWL"', '"NESW"', "design.letters: must be 5 different letters, one a leaf"),
    ('"NESWL"', '["n", "e", "s", "n", "l"]', "design.letters: must be 5 different letters"),
    ('"NESWL"', "5", "design.letters = 5: must be a letter a leaf"),
    ('"{width}"', '"width"', "design.parameters.W = 'width': a size is written '{width}', a"),
    ('v"]', 'v", "!*.sv"]', "design.sources: *.sv: no such file below"),
    ('v"]', 'v", "!TOML"]', "design.sources: !TOML: takes nothing from what stands before it"),
    ('pairs = "xy"', 'pairs = "zy"', "traffic.pairs = 'zy': zy is unknown"),
    ('pairs = "xy"', "pairs = []", "traffic.pairs: no pair is legal"),
    ('pairs = "xy"', "pairs = [[0, 5]]", "traffic.pairs: [0, 5] in the list: must be a source"),
    ('pairs = "xy"', "pairs = [[-1, 0]]", "traffic.pairs: [-1, 0] in the list: must be a source"),
    ('pairs = "xy"', "pairs = [[0]]", "traffic.pairs: [0] in the list: must be a source, 0 … 4"),
    ('pairs = "xy"', "pairs = [[0, true]]", "traffic.pairs: [0, True] in the list: must be"),
    ('pairs = "xy"', 'pairs = [["N", "Q"]]', "traffic.pairs: ['N', 'Q'] in the list: must be"),
    ('pairs = "xy"', "pairs = [3]", "traffic.pairs: 3 in the list: must be pairs, as [[0, 1], [1"),
    ('pairs = "xy"', 'pairs = "source != "', "must be pairs, others, xy, yx, or a rule"),
    ('pairs = "xy"', 'pairs = "source.T"', "must be pairs, others, xy, yx, or a rule"),
    ('pairs = "xy"', 'pairs = "9**99"', "must be pairs, others, xy, yx, or a rule"),
    ('pairs = "xy"', 'pairs = "source // 0"', "must be pairs, others, xy, yx, or a rule"),
    ('pairs = "xy"', 'pairs = "source in N"', "must be pairs, others, xy, yx, or a rule"),
    ('pairs = "xy"', 'pairs = "0"', "traffic.pairs: no pair is legal"),
    ('letters = "NESWL"', "", "traffic.pairs = 'xy': N names no leaf: see design.letters"),
)


def network(folder: Path, *edits: tuple[str, str]) -> ForeignNetwork:
    text = ROUTER
    for old, new in edits:
        assert old in text, "the case is out of date"
        text = text.replace(old, new.replace("TOML", str(folder / "mine.toml")), 1)
    path = folder / "mine.toml"
    path.write_text(text)
    return ForeignNetwork.from_variables({"DESIGN": str(path)})


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_a_mistake_is_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        network(tmp_path, (old, new))
    line = str(caught.value)
    assert message.replace("TOML", str(tmp_path / "mine.toml")) in line and "\n" not in line, line


def test_each_kind_refuses_the_keys_of_others(tmp_path: Path) -> None:
    """One table says which there are."""
    keys = {key for kind in KINDS.values() for key in kind.keys}
    values = {"mode": '"stop"', "vc": '"binary"', "count": '"pulse"'}
    for key in sorted(keys - {*KINDS["stream"].keys}):
        with pytest.raises(UserError, match=f"link.{key}: is of link.kind = '.*', not of 'stream'"):
            network(tmp_path, ('kind = "stream"', f'kind = "stream"\n{key} = {values.get(key, 1)}'))


@pytest.mark.parametrize(
    ("rule", "legal"),
    [
        ('"xy"', "NS NL EN ES EW EL SN SL WN WE WS WL LN LE LS LW"),
        ('"yx"', "NE NS NW NL EW EL SN SE SW SL WE WL LN LE LS LW"),
        ('[["N", "S"], [4, 0], ["L", 1]]', "NS LN LE"),
        ('"source == L and destination < 2 or (source, 0)"', None),
        ('"destination == L and not source < 2"', "SL WL LL"),
        ('"(source + destination) % 5 == 1 and source not in (N, E)"', "SL WW LS"),
        ('"0 < source < 3 and destination == 0"', "EN SN"),
    ],
)
def test_legal_pairs(tmp_path: Path, rule: str, legal: str | None) -> None:
    if legal is None:
        with pytest.raises(UserError, match="must be pairs"):
            network(tmp_path, ('"xy"', rule))
        return
    found = network(tmp_path, ('"xy"', rule)).design.legal
    pairs = ["NESWL"[i] + "NESWL"[o] for i, o in np.argwhere(found)]
    assert pairs == legal.split()


def test_traffic_says_what_it_does_not_send(tmp_path: Path) -> None:
    """A rotation sends from N to E, E to S, S to W, W to L, L to N; two of these turn wrongly."""
    variables = {"DESIGN": str(DESIGNS / "router.toml"), "PERIOD": "40"}
    for pattern, share in (("uniform", 0.0), ("shift:1", 0.4), ("shift:0", 1.0)):
        made = ForeignNetwork.from_variables({**variables, "TRAFFIC": pattern})
        assert skipped(made) == pytest.approx(share)
    rows = tmp_path / "packets.csv"
    rows.write_text("source,destination,release,flits\n1,0,0,1\n0,1,0,1\n")
    with pytest.raises(UserError, match=r"leaf 0 sends to 1: not a legal pair"):
        ForeignNetwork.from_variables({**variables, "MESSAGES": str(rows)})


def bench_top(made: ForeignNetwork) -> str:
    return made.rtl.generated("FRAME", RTL)["foreign_bench.v"]


def test_what_ports_become(tmp_path: Path) -> None:
    top = bench_top(network(tmp_path))
    assert '.ORDER("XY")' in top
    assert ".in_E  (send_packet[40 +: 40])" in top and "{(1){1'b0}}" in top
    assert ".full_S(send_ready_n[2 +: 1])" in top and "send_ready = ~send_ready_n;" in top
    assert ".hold_L(receive_ready_n[4 +: 1])" in top and "receive_ready_n = ~receive_ready;" in top
    marked = ("fields = ", 'head = "t"\nfields = ')
    top = bench_top(network(tmp_path, marked, ("[link.send]", 'leaf0 = "highest"\n[link.send]')))
    listed = ", ".join(f"send_head[{i} +: 1]" for i in range(5))
    assert f"({{{listed}}})" in " ".join(top.split())


def test_channels_have_a_valid_and_a_ready_or_share_them(tmp_path: Path) -> None:
    """Of each channel, of the word that a field vc names, or one ready of the two."""
    text = (DESIGNS / "channels.toml").read_text().replace("channels.v", f"{DESIGNS}/channels.v")
    for old, new, sender, receiver, shown in (
        ("vcs = 2", "vcs = 2", ".EACH(1)) u_send", ".EACH(1)) u_stream", "{VCS{offered}} & vc"),
        ('"ready_o"', '"ready_o:1"', ".EACH(0)) u_send", ".EACH(1)", "{VCS{send_ready[g*1 +: 1]}}"),
        ('"ready_i"', '"ready_i"\nvc = "v"', ".EACH(1)) u_send", ".EACH(0)", "<< receive_vc[g*1"),
    ):
        assert old in text
        path = tmp_path / "mine.toml"
        path.write_text(text.replace(old, new))
        top = bench_top(ForeignNetwork.from_variables({"DESIGN": str(path)}))
        assert all(part in top for part in (sender, receiver, shown)), new
    with pytest.raises(UserError, match=r"AGENT=AXI: knows no channels, head marks, types"):
        ForeignNetwork.from_variables({"DESIGN": str(path), "AGENT": "AXI"})


@pytest.mark.usefixtures("icarus")
def test_channels_of_on_and_off(tb_cli: Cli, tmp_path: Path) -> None:
    """A word that met stop is sent again; words of each channel are counted, not marked as last."""
    text = (DESIGNS / "channels.toml").read_text().replace("channels.v", f"{DESIGNS}/channels.v")
    text = text.replace('kind = "stream"', 'kind = "onoff"\nmode = "resend"')
    text = text.replace('last = "last_o"', "").replace('"1-8"', '"4"')
    for side in ("o", "i"):
        text = text.replace(f'ready = "ready_{side}"', f'stop = "~ready_{side}:2"')
    (tmp_path / "mine.toml").write_text(text)
    words = (f"DESIGN={tmp_path}/mine.toml", f"BUILD={tmp_path}/build", "TEST=uniform,stalls")
    succeeds(tb_cli("sim", "NETWORK=foreign", "SIM=icarus", "PERIOD=40", *words))


def test_a_length_is_stated_and_counted(tmp_path: Path) -> None:
    text = (DESIGNS / "lengths.toml").read_text().replace("lengths.v", f"{DESIGNS}/lengths.v")
    path = tmp_path / "mine.toml"
    for old, new, message in (
        ("rest_i:4", "rest_i:3", "link.send.length: must have 1 … 15 bits, and hold 11"),
        ("rest_i:4", "rest_i", "link.send.length = 'rest_i': must say how many bits"),
        ("rest_o:4", "rest_o:16", "link.receive.length: must have 1 … 15 bits, and hold 11"),
        (
            'data = "data_o"',
            'data = "data_o"\nlast = "l"',
            "link.receive.length: goes without last",
        ),
        ('length = "rest"', 'length = "all"', "link.length = 'all': must be packet or rest"),
    ):
        path.write_text(text.replace(old, new, 1))
        with pytest.raises(UserError) as caught:
            ForeignNetwork.from_variables({"DESIGN": str(path)})
        assert message in str(caught.value)
    path.write_text(text.replace('length = "rest"', 'length = "packet"'))
    whole = ForeignNetwork.from_variables({"DESIGN": str(path)})
    assert ".length_i({12'd0, receive_length[g*4 +: 4]} + 16'd0)" in bench_top(whole)
    assert whole.design.depth == 32 and whole.latency(1, 5) == 2 + 4 + 1 + 5 - 1


def test_globs_have_exceptions(tmp_path: Path) -> None:
    for name in ("a.v", "b.v", "old.v"):
        (tmp_path / name).write_text("")
    files = network(tmp_path, ('["', '["*.v", "!old*", "')).design.files
    assert [path.name for path in files.sources] == ["a.v", "b.v", "router.v"]
