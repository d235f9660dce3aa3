"""Whatever eight neighbouring bits of a word a design looks at, it sees all of their 256 values."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from fattree_bench.bench.interface import mapped
from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.bench.links.payload import MIX, Payload
from fattree_bench.families.foreign.values import Spread, Values
from tests.cli import Cli, succeeds
from tests.tb.bench.wormhole.software import kary
from tests.tb.families.foreign.test_planted import DESIGNS

PACKETS = 3000  # of a leaf, in fewer a value may be missing by chance
CROSSBAR = Design.read(DESIGNS / "crossbar.toml").flit_words

# Goes into the user's Python file: notes what the words of each link were, by their role.
COUNTING = """
from pathlib import Path

import numpy as np

from fattree_bench.families.foreign.scoreboard import ForeignScoreboard

received = ForeignScoreboard.received


def noted(self, plan, captured):
    came = received(self, plan, captured)
    clock, leaf = np.nonzero(came.side)
    side, words = came.side[clock, leaf], came.data[clock, leaf]
    tags, _ = self.link.words.read(words, side & 2 != 0, False)
    role = np.where(side & 2, 0, np.where(side & 1, 2, 1))
    with Path("FILE").open("ab") as file:
        np.stack((tags.owner, leaf, role, words.astype(np.int64)), 1).tofile(file)
    return came


ForeignScoreboard.received = noted
"""


def missing(words: npt.NDArray[np.uint64], first: int, width: int) -> list[int]:
    """The lowest bits of all windows from `first` on that lack a value."""
    windows = range(first, width - 7)
    return [b for b in windows if np.unique(words >> np.uint64(b) & np.uint64(255)).size < 256]


def heads(words: FlitWords, leaf: int, goal: int) -> npt.NDArray[np.uint64]:
    number = np.arange(PACKETS)
    zero, none = np.zeros(PACKETS, np.int64), np.zeros(PACKETS, np.bool_)
    return words.write(number, zero, none, zero + leaf, zero + leaf, zero + goal)


@pytest.mark.parametrize("words", [CROSSBAR, replace(CROSSBAR, width=40, number_bits=30)], ids=str)
def test_heads_of_a_users_design_vary_from_the_lowest_bit_on(words: FlitWords) -> None:
    for leaf in range(4):
        assert not missing(heads(words, leaf, leaf ^ 1), 0, words.width)
    assert missing(heads(replace(words, masked=False), 0, 1), 0, words.width) == list(range(5))


def test_heads_of_our_networks_vary_above_their_header() -> None:
    words = kary(K=4, LEVELS=2).words
    assert not missing(heads(words, 3, 9), words.header_bits, words.width)


def test_five_hundred_numbers_show_all_values() -> None:
    """Of few packets the multiples of the golden ratio did not."""
    assert not missing(np.arange(500, dtype=np.uint64) * np.uint64(MIX), 0, 64)


@pytest.mark.parametrize("width", [32, 37, 64])
def test_bodies_vary_from_the_lowest_bit_on(width: int) -> None:
    words = kary(WIDTH=width).words
    none = np.zeros(PACKETS, np.bool_)
    found = []
    for index in (1, 2):
        place, leaf = np.full(PACKETS, index), np.full(PACKETS, 3)
        found.append(words.write(np.arange(PACKETS), place, none, leaf, leaf, leaf))
    assert not missing(np.concatenate(found), 0, width)


@pytest.mark.parametrize(("n", "width"), [(2, 16), (3, 24), (4, 32), (6, 64)])
def test_words_of_slots_vary_from_the_lowest_bit_on(n: int, width: int) -> None:
    payload = Payload(n, width)
    for leaf in (0, 1, (1 << n) - 1):
        found = payload.words(np.arange(2 * PACKETS), np.full(2 * PACKETS, leaf))
        assert not missing(found.astype(np.uint64), 0, width)


def test_numbers_for_accesses_vary_and_missing_ones_are_named() -> None:
    spread, made = Spread(np.random.default_rng(1)), mapped.design(str(DESIGNS / "axi4_lite.toml"))
    assert isinstance(made, mapped.MappedDesign)
    assert not missing(np.array([spread(64, "x") for _ in range(512)], np.uint64), 0, 64)
    ((name, text),) = Values(made).check(None)
    assert name == "unchecked" and "address of reads at manager 0: 64 values" in text


def copied(folder: Path, *edits: tuple[str, str, str]) -> Path:
    """The crossbar with edits (ending, old, new) of its files; its description."""
    for path in DESIGNS.glob("crossbar.*"):
        shutil.copyfile(path, folder / path.name)
    for ending, old, new in edits:
        path = folder / f"crossbar.{ending}"
        assert path.read_text().count(old) == 1
        path.write_text(path.read_text().replace(old, new))
    return folder / "crossbar.toml"


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    "bit", [0, *(pytest.param(b, marks=pytest.mark.nightly) for b in (3, 4, 5, 11, 24))]
)
def test_a_design_that_looks_at_eight_bits_is_found(tb_cli: Cli, tmp_path: Path, bit: int) -> None:
    """A packet whose first word has a certain value there goes to the neighbour."""
    value = 0x1A ^ 0x49 * bit & 0xFF
    same = "== SELF[DEST_W-1:0]"
    word = f"s_axis_tdata[h*WIDTH+{bit} +: 8]"
    new = f"^ {{{{(DEST_W-1){{1'b0}}}}, {word} == 8'd{value}}} {same}"
    design = copied(tmp_path, ("v", same, new))
    words = (f"DESIGN={design}", f"BUILD={tmp_path / 'build'}", "TEST=shortest")
    done = tb_cli("sim", "NETWORK=foreign", "SIM=icarus", *words)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "misdelivered: " in done.stdout and "interleaved: " not in done.stdout


@pytest.mark.nightly
def test_all_tests_together_show_all_values(tb_cli: Cli, tmp_path: Path) -> None:
    """On each input and each output, in first words and in the others; of all in last ones."""
    (tmp_path / "counting.py").write_text(COUNTING.replace("FILE", str(tmp_path / "words")))
    design = copied(tmp_path, ("toml", "sources =", 'python = "counting.py"\nsources ='))
    words = (f"DESIGN={design}", f"BUILD={tmp_path / 'build'}", "TEST=*")
    succeeds(tb_cli("sim", "NETWORK=foreign", "SIM=verilator", *words))
    rows = np.fromfile(tmp_path / "words", np.int64).reshape(-1, 4)
    words_of, role = rows[:, 3].astype(np.uint64), rows[:, 2]
    assert not missing(words_of[role == 2], 0, 32)
    for side, leaves in enumerate((4, 3)):
        for leaf in range(leaves):
            for heads_alone in (True, False):
                of = words_of[(rows[:, side] == leaf) & ((role == 0) == heads_alone)]
                assert not missing(of, 0, 32), (side, leaf, heads_alone, of.size)
