"""Traffic of a user's own: what is said before it is played, and what the RTL does with it."""

import re
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.api import Design
from fattree_bench.families import select
from fattree_bench.paths import ROOT
from fattree_bench.sim import variables as v
from fattree_models import lbbvn
from fattree_models.lbbvn import lower_bound
from tests.cli import Cli, icarus, succeeds

SECTION = (ROOT / "docs" / "examples.md").read_text().partition("## Send your own traffic\n")[2]
COMMANDS = re.findall(r"^    make sim (.+)$", SECTION.partition("\n## ")[0], re.M)


def played(tb_cli: Cli, words: str) -> str:
    text = succeeds(tb_cli("sim", *words.split(), "SIM=icarus"))
    return re.sub(r"\s+", " ", text)


@icarus
def test_a_frame_in_npy_that_does_not_fit(tb_cli: Cli, tmp_path: Path) -> None:
    """The rotators of 4 leaves, one leaf idle: the answers first, then exactly those losses."""
    frame = lbbvn.rotators(2)
    frame[1, 3] = -1
    np.save(tmp_path / "f.npy", frame)
    lost = 2 * int(((frame >= 0) & ~lbbvn.predict(frame, lower_bound(2)).delivered).sum())
    text = played(tb_cli, f"N=4 FRAMES={tmp_path / 'f.npy'}")
    before, _, after = text.partition("running own_frame")  # nothing is built if it is there
    assert (
        "a frame of 4 slots it does not sum to the all-ones matrix, eq. (1): input 3 meets"
        in before
    )
    assert "slot 0 does not: 2 of the inputs S(1, 0) go to the outputs S(1, 0)" in before
    assert "level Lemma 1 needs up needs down 1 1 2 2 2 1 1 1" in before
    assert lost > 0
    assert (
        f"30 sent, {30 - lost} delivered, {lost} lost ({lost} in conflicts, as predicted)" in after
    )
    assert "needs up" not in after


@icarus
def test_messages_with_words_of_their_own(tb_cli: Cli, tmp_path: Path) -> None:
    """One finds no lane to the root, two no way into leaf 1; the others bring their payloads."""
    path = tmp_path / "m.csv"
    path.write_text("source,destination,payload\n0,1,0x77\n2,1,5\n1,1,0xffffffff\n3,0,0\n0,3,9\n")
    text = played(tb_cli, f"N=4 MESSAGES={path} VERBOSE=1")
    assert "5 sent, 2 delivered, 3 lost (3 in conflicts, as predicted), 0 corrupted" in text


@icarus
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("N=4 SIGMA=0,2,1,3 CONTROL=SCHEDULED", "32 sent, 32 delivered, 0 lost"),
        ("NETWORK=lbbvn_switch N=4 SIGMA=0,2,1,3", "cells of 4 slots, again and again it sums to"),
    ],
)
def test_shifts_of_a_permutation(words: str, said: str, tb_cli: Cli) -> None:
    assert said in played(tb_cli, words)


@pytest.mark.parametrize("words", COMMANDS)
def test_commands_of_the_document(words: str) -> None:
    """They are taken, and play a test that fits; the replay line plays the same."""
    made = v.check(v.collect(words.split()), write=False)
    (scenario,) = select(made.network, made.test)
    assert scenario.unfit(made.network) is None
    again = made.replay(made.test).removeprefix("make sim ").split()
    assert v.check(v.collect(again), write=False).network == made.network


@icarus
@pytest.mark.nightly
@pytest.mark.parametrize("words", COMMANDS)
def test_commands_of_the_document_pass(words: str, tb_cli: Cli) -> None:
    played(tb_cli, words)


def test_an_older_name_of_messages() -> None:
    packets = "NETWORK=kary K=4 LEVELS=2 PACKETS=examples/packets-16.csv"
    made = v.check(v.collect(packets.split()), write=False)
    assert "MESSAGES=examples/packets-16.csv" in made.replay("file")
    design = ROOT / "tests/tb/families/foreign/designs/crossbar.toml"
    file = ROOT / "tests/tb/families/foreign/designs/packets.csv"
    for name in ("MESSAGES", "PACKETS"):
        made = Design.read(design, **{name: str(file)}).settings()
        assert made.test == "file" and made.network.workload.packets is not None
