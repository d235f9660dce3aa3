"""Routers proved and refuted: designs in a user's style, whole and with planted faults."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from tests.cli import Cli, check_refused, succeeds
from tests.night import some

pytestmark = pytest.mark.usefixtures("icarus")

HERE = Path(__file__).parent / "designs"
MOST = 30  # clocks of a witness


@dataclass(frozen=True)
class Fault:
    """A text of a design that is replaced, and the rule that this breaks."""

    name: str
    design: str
    old: str
    new: str
    rule: str

    def __str__(self) -> str:
        return self.name


FAULTS = (
    Fault("a lock not released", "split", "last ? 3'd0 : wins", "wins", "B1"),
    Fault("a route off the table", "split", "in_dest[5:4] == g", "in_dest[5] == g", "R1"),
    Fault("a credit leak", "lanes", "<= gone[g];", "<= gone[g] & ~in_valid[g];", "L3"),
    Fault("an overwritten VC", "lanes", " && left == 2'd0", "", "R2"),
    Fault("a word that changes", "split", "if (free) begin", "if (1'b1) begin", "L1"),
    Fault("a packet torn", "split", "last ? 3'd0 : wins", "3'd0", "R4"),
    Fault("a VC not released", "lanes", "word[B-1] ? owner_q & ~wins : ", "", "B1"),
    Fault("an unfair arbiter", "split", "~((wins - 3'd1) | wins)", "3'd1", "B2"),
    Fault("a word twice", "split", "(wins != 3'd0);", "(wins != 3'd0) | in_last[0];", "R2"),
    Fault("a spent credit back", "lanes", "room  = {left_q[3:2]", "room  = {left_q[2:1]", "L1"),
    Fault(
        "a credit too many", "lanes", "<= gone[g];", "<= gone[g] | (in_valid[g] & ~there[g]);", "L2"
    ),
)


def planted(
    folder: Path, design: str, change: tuple[str, str] = ("", ""), said: tuple[str, str] = ("", "")
) -> Path:
    """A design in a folder, with a text replaced in it, and one in its description."""
    for end, (old, new) in ((".v", change), (".toml", said)):
        text = (HERE / f"{design}{end}").read_text()
        assert not old or text.count(old) == 1, old
        (folder / f"{design}{end}").write_text(text.replace(old, new) if old else text)
    return folder / f"{design}.toml"


@pytest.mark.parametrize("fault", some(FAULTS, 4), ids=str)
def test_a_planted_fault_is_refuted(fault: Fault, tmp_path: Path, tb_cli: Cli) -> None:
    """By the rule that it breaks, with a witness that breaks it in a simulator as well."""
    path = planted(tmp_path, fault.design, (fault.old, fault.new))
    done = tb_cli("prove", str(path), f"RULES={fault.rule}")
    assert done.returncode == 1, done.stdout + done.stderr
    found = re.search(rf"^FAIL {fault.rule} .*: refuted, (\d+) clocks$", done.stdout, re.MULTILINE)
    assert found, done.stdout
    assert int(found[1]) <= MOST
    assert f"{fault.rule} is broken on icarus" in done.stdout
    words = re.search(r"replay: \w+ (.*)", done.stdout)
    assert words
    replayed = tb_cli(*words[1].split())
    assert replayed.returncode == 1, replayed.stdout + replayed.stderr
    assert f"{fault.rule} is broken on icarus" in replayed.stdout
    if fault == FAULTS[0]:  # whatever the engine says: without a word nothing is broken
        said = json.loads((at := tmp_path / f"build/prove/split/{fault.rule}.json").read_text())
        at.write_text(json.dumps(said | {"steps": [dict.fromkeys(s, 0) for s in said["steps"]]}))
        assert f"{fault.rule} is not broken on icarus" in tb_cli(*words[1].split()).stdout


@dataclass(frozen=True)
class Sound:
    """A design without a fault, its ports, and rules that are proved."""

    design: str
    ports: int
    rules: str

    def __str__(self) -> str:
        return f"{self.design}-{self.ports}-{self.rules}"


SOUND = (
    Sound("lanes", 3, "L2,R1"),
    Sound("split", 3, "L1,R6"),
    Sound("split", 3, ""),
    Sound("lanes", 5, "L1,L2,L3,R1,R2,R3,R4,R5"),
)


@pytest.mark.parametrize("sound", some(SOUND, 2), ids=str)
def test_a_sound_router_is_proved(sound: Sound, tmp_path: Path, tb_cli: Cli) -> None:
    path = planted(tmp_path, sound.design, said=("leaves = 3", f"leaves = {sound.ports}"))
    done = succeeds(tb_cli("prove", str(path), f"RULES={sound.rules}", "CLOCKS=4"))
    count = len(re.findall("^ok ", done, re.MULTILINE))
    assert count == len(sound.rules.split(",")) or not sound.rules
    assert done.endswith(f"{count} of {count} rules proved\n")


@pytest.mark.parametrize("fault", some((FAULTS[1], FAULTS[3]), 1), ids=str)
def test_invariants_are_not_of_what_is_wrong(fault: Fault, tmp_path: Path, tb_cli: Cli) -> None:
    """In looser surroundings first; the counter-example is of the design itself, and plays."""
    path = planted(tmp_path, fault.design, (fault.old, fault.new))
    done = tb_cli("prove", str(path), f"RULES={fault.rule}", "CLOCKS=1")
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"FAIL {fault.rule}  " in done.stdout
    assert "refuted, in clock " in done.stdout
    assert f"{fault.rule} is broken on icarus" in done.stdout


def test_rules_of_what_never_leaves_say_little(tmp_path: Path, tb_cli: Cli) -> None:
    path = planted(tmp_path, "split", ("wins & {3{free}}", "3'd0"))
    done = tb_cli("prove", str(path), "RULES=R6", "CLOCKS=5")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "no word can leave within 5 clocks, so this says little" in done.stdout


def test_what_is_not_proved_is_undecided(tmp_path: Path, tb_cli: Cli) -> None:
    """With the clocks without a counter-example, and a status of its own."""
    path = planted(tmp_path, "lanes")
    done = tb_cli("prove", str(path), "RULES=B2", "CLOCKS=3", "BUDGET=3")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "??   B2  " in done.stdout
    assert "undecided, no counter-example in 3 clocks" in done.stdout


NO_TURN = ("in_valid & {", "in_valid & ~(3'd1 << g) & {")  # none goes back where it came from
DROPPED = (  # assumption, design, changes of it and of its description, rule
    ("credits", "lanes", ("", ""), ("", ""), "R2"),
    ("pairs", "split", NO_TURN, ('words = "1-4"', 'words = "1-4"\nself = false'), "B1"),
)


@pytest.mark.parametrize("dropped", some(DROPPED, 1), ids=lambda x: x[0])
def test_without_an_assumption_the_rule_is_refuted(
    dropped: tuple[str, str, tuple[str, str], tuple[str, str], str], tmp_path: Path, tb_cli: Cli
) -> None:
    """So it rests on that assumption."""
    without, design, change, said, rule = dropped
    path = str(planted(tmp_path, design, change, said))
    done = tb_cli("prove", path, f"RULES={rule}", f"WITHOUT={without}")
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"FAIL {rule}  " in done.stdout


def test_the_document_shows_what_it_prints(tmp_path: Path, tb_cli: Cli) -> None:
    """All but which of the shortest witnesses it is, which a solver is free to choose."""
    fault = FAULTS[0]
    path = planted(tmp_path, fault.design, (fault.old, fault.new))
    done = tb_cli("prove", str(path), "RULES=B1")
    text = (ROOT / "docs" / "prove.md").read_text()
    shown = [x for x in done.stdout.splitlines() if not re.search(r"…|waves: |replay: |^ +\d", x)]
    assert len(shown) == 5
    assert [x for x in shown if f"\n    {x}\n" not in text] == []


@pytest.mark.parametrize(
    ("said", "words", "names"),
    [
        (('kind = "stream"', 'kind = "stream"\nx = 1'), (), "split.toml: link.x"),
        (("", ""), ("WIDTH=1",), "WIDTH=1: must be 4 at least"),
        (("", ""), ("RULES=L1,Q",), "RULES=L1,Q: Q: there is L1, R1"),
        (("[promises]", "[promises]\ndrops = {}"), (), "promises.drops: packets that may be"),
        (('top = "split"', 'top = "splat"'), (), "split.toml: btor: ERROR"),
    ],
)
def test_a_mistake_is_one_line(
    said: tuple[str, str], words: tuple[str, ...], names: str, tmp_path: Path, tb_cli: Cli
) -> None:
    check_refused(tb_cli("prove", str(planted(tmp_path, "split", said=said)), *words), names)


@pytest.mark.nightly
def test_a_witness_plays_on_verilator(tmp_path: Path, tb_cli: Cli) -> None:
    fault = FAULTS[0]
    path = planted(tmp_path, fault.design, (fault.old, fault.new))
    tb_cli("prove", str(path), "RULES=B1")
    witness = tmp_path / "build" / "prove" / "split" / "B1.json"
    done = tb_cli("sim", f"WITNESS={witness}", "SIM=verilator", f"BUILD={tmp_path}")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "clock 8: B1 is broken on verilator" in done.stdout
