"""SPIN's routers to the clock: alone, in traffic, with damage, against a plain router, as check."""

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from fattree_models import spin, xgft
from fattree_models.spin import router_kernel as kernel
from fattree_models.spin.codec import BEGIN, DATA, END, ERROR, PARITY, WORD_BITS, parity_word
from fattree_models.spin.routers import Difference, Routers
from tests.models.spin.plain_router import PlainRouter
from tests.night import some

SIZES = pytest.mark.parametrize("terminals", [16, 32, 64])
BUFFERS = pytest.mark.parametrize("shared", [False, True])
KINDS = ("valid", "word", "credit", "state", "home", "stored", "resets")
Recording = dict[str, Any]
Row = tuple[Any, ...]


class Net:
    """A network with terminals that send what is in `queue` and take all; it is recorded.

    A word that is put into a queue in clock t is on the link in t + 1.
    """

    def __init__(self, terminals: int, shared: bool, give: float = 1, seed: int = 0) -> None:
        self.routers = Routers(terminals, shared)
        self.give, self.draw = give, np.random.default_rng(seed)
        self.rows: list[Row] = []
        self.clock = 0
        self.begin()

    def begin(self) -> None:
        """Make terminals as they are at first."""
        count = self.routers.terminals
        self.queue: list[list[int]] = [[] for _ in range(count)]
        self.left, self.owed = [4] * count, [0] * count
        self.word: list[int | None] = [None] * count
        self.credit = np.zeros(count, dtype=bool)
        self.got: list[list[tuple[int, int]]] = [[] for _ in range(count)]

    def step(self, reset: bool = False) -> None:
        """Move on by a clock: first what is on links, then what terminals do."""
        valid = np.array([word is not None for word in self.word])
        word = np.array([each or 0 for each in self.word], dtype=np.uint64)
        shown = self.routers.step(valid, word, self.credit)
        credit = shown.credit.copy()
        credit[self.routers.to_terminals] = self.credit
        links = (np.append(shown.valid, valid), np.append(shown.word, word), credit)
        self.rows.append((*links, shown.state, shown.home, shown.stored, reset))
        for g, link in enumerate(self.routers.to_terminals.tolist()):
            if shown.valid[link]:
                self.got[g].append((self.clock, int(shown.word[link])))
                self.owed[g] += 1
            self.credit[g] = self.owed[g] > 0 and self.draw.random() < self.give
            self.owed[g] -= int(self.credit[g])
            self.left[g] += int(shown.credit[self.routers.outputs + g])
            self.word[g] = self.queue[g].pop(0) if self.queue[g] and self.left[g] else None
            self.left[g] -= self.word[g] is not None
        if reset:
            self.routers.reset()
            self.begin()
        self.clock += 1

    def rest(self, most: int) -> None:
        """Go on until nothing has happened for long enough; all is at home then."""
        quiet = 0
        while quiet < 30 and self.clock < most:
            self.step()
            quiet = 0 if self.rows[-1][0].any() or self.rows[-1][2].any() else quiet + 1
        shown = self.routers.shown()
        assert shown.home.all() and not shown.state.any() and not any(self.queue)
        assert self.left == [4] * self.routers.terminals

    def recording(self, start: int = 0, stop: int | None = None) -> Recording:
        """Return rows as `check` takes them."""
        columns = zip(*self.rows[start:stop], strict=True)
        return {kind: np.array(column) for kind, column in zip(KINDS, columns, strict=True)}


def encode(dst: int, words: int, user: int = 0) -> list[int]:
    """Return the words of a packet whose payload tells from where it is."""
    payload = [(user * 31 + place) & DATA for place in range(words - 2)]
    return [int(word) for word in spin.encode(dst | user << 8, payload)]


# ---- alone ---------------------------------------------------------------------------------------


@SIZES
@BUFFERS
def test_a_packet_alone(terminals: int, shared: bool) -> None:
    """Created in clock 0, its first word is on the link into the network in 1, on that to the
    terminal in 1 + 3 r, its last in w + 3 r.
    """
    tree = spin.tree(terminals)
    net = Net(terminals, shared)
    for src, dst, words in [
        (0, 1, 2),
        (0, terminals - 1, 18),
        (5, 4, 7),
        (terminals - 2, 9, 3),
        (6, 12, 18),
    ]:
        start = len(net.rows)
        created = net.clock
        net.queue[src] += encode(dst, words)
        net.step()
        net.rest(1000 + created)
        got = net.got[dst]
        net.got[dst] = []
        height = next(
            level
            for level in range(1, tree.height + 1)
            if src // tree.subtree_leaves(level) == dst // tree.subtree_leaves(level)
        )
        passed = 2 * height - 1
        # Net puts words on links in the clock after `queue` got them, in which they were created.
        assert got[-1][0] == created + 3 * passed + words
        assert [clock for clock, _ in got] == list(range(got[-1][0] - words + 1, got[-1][0] + 1))
        assert [word for _, word in got] == encode(dst, words)
        assert not any(net.got)
        ports = [
            int(net.routers.links[link][2])
            for row in net.rows[start:]
            for link in np.flatnonzero(row[0][: net.routers.outputs])
            if int(row[1][link]) & BEGIN
        ]
        assert len(ports) == passed and xgft.legal(tree, [src], [dst], [ports]).all()


# ---- in traffic ----------------------------------------------------------------------------------


@SIZES
@BUFFERS
@pytest.mark.parametrize("give", [1, 0.6])
def test_all_packets_arrive_once_and_whole(terminals: int, shared: bool, give: float) -> None:
    net = Net(terminals, shared, give, seed=terminals)
    draw = np.random.default_rng(terminals + 1)
    sent: Counter[Any] = Counter()
    for number in range(12 * terminals):
        src, dst = draw.choice(terminals, 2, replace=False).tolist()
        packet = encode(dst, int(draw.integers(2, 19)), number)
        net.queue[src] += packet
        sent[dst, *spin.receive(packet)] += 1
    net.rest(20000)
    assert any(row[5].any() for row in net.rows) == shared
    words = [[word for _, word in got] for got in net.got]
    assert (
        Counter((g, packet) for g, row in enumerate(words) for packet in spin.receive(row)) == sent
    )
    again = Routers(terminals, shared)
    assert again.check(**net.recording()) is None


# ---- framing -------------------------------------------------------------------------------------

# What terminal 0 of 16 sends, all for terminal 1, and what that gets, by hand.
HEADER2, HEADER3, HEADER4 = 0xA10000001, 0x818000001, 0xA20000001  # for packets of 2, 3, 4 words
FRAMING = {
    "sound": ([HEADER3, 0x200000007, 0x600000005], [HEADER3, 0x200000007, 0x600000005]),
    "bad parity": ([HEADER3, 0x200000006, 0x600000005], [HEADER3, 0x300000006, 0x600000005]),
    "bad parity, error": ([HEADER3, 0x100000003, 0x600000005], [HEADER3, 0x300000003, 0x600000005]),
    "bad parity on, error": (
        [HEADER3, 0x300000001, 0x600000005],
        [HEADER3, 0x100000001, 0x600000005],
    ),
    "lost end mark": ([HEADER3, 0x200000007, 0x000000005], [HEADER3, 0x200000007, 0x500000005]),
    "shorter than its length": ([HEADER4, 0x600000005], [HEADER4, 0x500000005]),
    "longer than its length": (
        [HEADER2, 0x200000007, 0x600000011],
        [HEADER2, 0x700000007, 0xF00000011],
    ),
    "cut, the next is marked": (
        [HEADER4, 0x200000007, HEADER3, 0x200000007, 0x600000005, HEADER2, 0x600000005],
        [
            *[HEADER4, 0x200000007, 0x500000000],
            *[0xB18000001, 0x200000007, 0x600000005],
            *[HEADER2, 0x600000005],
        ],
    ),
    "cut twice": (
        [HEADER4, HEADER3, HEADER2, 0x600000005],
        [HEADER4, 0x500000000, 0xB18000001, 0x500000000, 0x910000001, 0x600000005],
    ),
    "no begin mark": (
        [0x200000001, 0x000000003, 0x600000005],
        [0xB00000001, 0x000000003, 0x500000005],
    ),
    "no begin mark, long": (
        [0x200000001, *[0x000000003] * 40, 0x600000005],
        [0xB00000001, *[0x000000003] * 40, 0x500000005],
    ),
    "no begin mark, cut, the next is not marked": (
        [0x200000001, HEADER3, 0x200000007, 0x600000005],
        [0xB00000001, 0x500000000, HEADER3, 0x200000007, 0x600000005],
    ),
    "length 0": ([0x800000001, 0x200000007, 0x600000005], [0x800000001, 0x200000007, 0x500000005]),
    "length 1": ([0xA08000001], [0xF08000001]),
    "length 1, end": ([0xC08000001], [0xC08000001]),
    "astray": ([0xA18000000, 0x200000007, 0x600000005], [0x918000000, 0x200000007, 0x600000005]),
}


@BUFFERS
@pytest.mark.parametrize("case", FRAMING)
def test_framing_by_hand(case: str, shared: bool) -> None:
    sent, expected = FRAMING[case]
    net = Net(16, shared)
    net.queue[0] += sent
    net.step()
    net.rest(200)
    assert [f"{word:09x}" for _, word in net.got[1]] == [f"{word:09x}" for word in expected]


# ---- a plain router ------------------------------------------------------------------------------


def only(terminals: int, shared: bool, router: int) -> Routers:
    """Return a `Routers` of one router of a network; all links are still there."""
    routers = Routers(terminals, shared)
    level, node = routers.routers[router].tolist()
    here = (routers.places[:, :2] == [level, node]).all(axis=1)
    routers._plan = routers._plan[[router]]
    routers._plan[0, kernel.PLACE] = 0
    routers.routers, routers.places = routers.routers[[router]], routers.places[here]
    routers._registers = routers._registers[[router]]
    return routers


@cache
def numbers(terminals: int) -> dict[tuple[int, ...], int]:
    """Return the number of each link."""
    return {tuple(link): at for at, link in enumerate(Routers(terminals, True).links.tolist())}


def ends(terminals: int, level: int, node: int) -> tuple[list[int], list[int]]:
    """Return the links of a router's outputs, and those to its inputs, by their ports."""
    tree, number = spin.tree(terminals), numbers(terminals)
    inputs = []
    for child in range(tree.down_ports(level)):
        lower = int(tree.down(level, node, child))
        port = tree.down_ports(level - 1) + int(tree.arrival(level, node)) if level > 1 else 0
        inputs.append(number[level - 1, lower, port])
    for parent in range(tree.up_ports(level)):
        upper, port = (int(each) for each in tree.up(level, node, parent))
        inputs.append(number[level + 1, upper, port])
    return [number[level, node, port] for port in range(tree.radix(level))], inputs


class Garbage:
    """What comes on a link: packets with all kinds of damage, or words of all kinds."""

    def __init__(self, draw: np.random.Generator, damage: float, noise: float, near: int) -> None:
        self.draw, self.damage, self.noise, self.near = draw, damage, noise, near
        self.words: list[int] = []

    def next(self) -> int:
        """Return a word."""
        if self.draw.random() < self.noise:
            return int(self.draw.integers(1 << WORD_BITS))
        while not self.words:
            dst = self.near + int(self.draw.integers(4)) if self.draw.random() < 0.7 else None
            dst = int(self.draw.integers(256)) if dst is None else dst
            self.words = encode(dst, int(self.draw.integers(2, 19)), int(self.draw.integers(9999)))
            if self.draw.random() < self.damage:
                self.spoil()
        return self.words.pop(0)

    def spoil(self) -> None:
        """Damage a packet: marks of a word, with parity or without, its length, or a word less."""
        at = int(self.draw.integers(len(self.words)))
        match int(self.draw.integers(5)):
            case 0:
                self.words[at] ^= 1 << int(self.draw.integers(WORD_BITS))
            case 1:
                bits = (BEGIN, END, ERROR, ERROR | END, ERROR | BEGIN)
                self.words[at] ^= bits[int(self.draw.integers(len(bits)))] | PARITY
            case 2:
                marks = BEGIN | int(self.draw.integers(2)) * ERROR
                length = int(self.draw.integers(32)) << 27
                self.words[0] = parity_word(marks, self.words[0] & 2**27 - 1 | length)
            case 3:
                del self.words[at]
            case 4:
                self.words[at:] = []


def plain_run(
    terminals: int, shared: bool, router: int, clocks: int, draw: np.random.Generator
) -> Recording:
    """Return a recording of a plain router between links with garbage."""
    level, node = Routers(terminals, shared).routers[router].tolist()
    plain = PlainRouter(spin.tree(terminals), level, node, shared)
    outputs, inputs = ends(terminals, level, node)
    links = len(Routers(terminals, shared).links)
    rows: list[Row] = []
    damage, noise = draw.choice([0, 0.2, 0.9]), draw.choice([0, 0.01, 0.5])
    # most packets are for four terminals below: outputs are held, buffers fill
    near = node // spin.tree(terminals).w_span(level) * spin.tree(terminals).subtree_leaves(level)
    garbage = [Garbage(draw, damage, noise, near) for _ in inputs]
    send, give = draw.choice([0.2, 0.7, 1]), draw.choice([0.1, 0.5, 1])
    left, owed = [4] * len(inputs), [0] * len(outputs)
    for clock in range(clocks):
        if clock % 500 == 499:
            send, give = draw.choice([0.2, 0.7, 1]), draw.choice([0.1, 0.5, 1])
        words, credits, state, home, stored = plain.shown()
        valid, credit = draw.random(links) < 0.5, draw.random(links) < 0.5
        word = draw.integers(1 << WORD_BITS, size=links, dtype=np.uint64)
        for link, each in zip(outputs, words, strict=True):
            valid[link], word[link] = each is not None, each or 0
        came: list[int | None] = []
        for i, link in enumerate(inputs):
            credit[link] = credits[i]
            sends = left[i] > 0 and bool(draw.random() < send)
            came.append(garbage[i].next() if sends else None)
            left[i] += credits[i] - sends
            valid[link], word[link] = sends, came[-1] or 0
        for o, link in enumerate(outputs):
            owed[o] += words[o] is not None
            credit[link] = owed[o] > 0 and draw.random() < give
            owed[o] -= int(credit[link])
        reset = bool(draw.random() < 0.001)
        rows.append((valid, word, credit, state, home, [stored], reset))
        plain.step(came, [bool(credit[link]) for link in outputs])
        if reset:
            plain.reset()
            left, owed = [4] * len(inputs), [0] * len(outputs)
    columns = zip(*rows, strict=True)
    return {kind: np.array(column) for kind, column in zip(KINDS, columns, strict=True)}


@BUFFERS
@pytest.mark.parametrize(
    ("terminals", "level"), [(16, 1), (16, 2), (32, 1), (32, 2), (64, 1), (64, 2), (64, 3)]
)
@pytest.mark.parametrize("seed", some(range(4), every_time=1))
def test_a_plain_router_in_garbage(terminals: int, level: int, shared: bool, seed: int) -> None:
    draw = np.random.default_rng([terminals, level, shared, seed])
    levels = Routers(terminals, shared).routers[:, 0]
    router = int(draw.choice(np.flatnonzero(levels == level)))
    recording = plain_run(terminals, shared, router, 1500, draw)
    compiled = only(terminals, shared, router)
    for start in range(0, 1500, 400):  # registers stay from call to call
        burst = {kind: column[start : start + 400] for kind, column in recording.items()}
        assert compiled.check(**burst) is None


# ---- check ---------------------------------------------------------------------------------------

BURST, BURSTS = 60, 3


@cache
def busy(terminals: int, shared: bool, reset: int | None = None) -> Net:
    """Return a network that has been busy for some bursts; no test changes it."""
    net = Net(terminals, shared, give=0.7, seed=5)
    draw = np.random.default_rng(6)
    for clock in range(BURST * BURSTS):
        for src in range(terminals):
            if not net.queue[src]:
                dst = (src + int(draw.integers(1, terminals))) % terminals
                net.queue[src] += encode(dst, int(draw.integers(2, 19)), clock)
        net.step(reset=clock == reset)
    return net


def checked(terminals: int, shared: bool, recording: Recording) -> tuple[int, Difference] | None:
    """Check a recording burst by burst; return the first burst that differs, and how."""
    routers = Routers(terminals, shared)
    for burst in range(BURSTS):
        rows = slice(burst * BURST, (burst + 1) * BURST)
        found = routers.check(**{kind: column[rows] for kind, column in recording.items()})
        if found:
            return burst, found
    return None


@cache
def at_ends(terminals: int) -> tuple[list[int | None], list[int | None]]:
    """Return the router at the beginning of each link, and that at its end; None for terminals."""
    routers = Routers(terminals, True)
    sender: list[int | None] = [None] * len(routers.links)
    taker: list[int | None] = [None] * len(routers.links)
    for router, (level, node) in enumerate(routers.routers.tolist()):
        outputs, inputs = ends(terminals, level, node)
        for link in outputs:
            sender[link] = router
        for link in inputs:
            taker[link] = router
    return sender, taker


@pytest.mark.parametrize(("terminals", "shared"), [(16, True), (16, False), (32, True), (64, True)])
@pytest.mark.parametrize("row", [BURST // 2, BURST - 1, BURST, 2 * BURST + 3])
@pytest.mark.parametrize("what", ["bit", "missing", "added", "credit", "state", "home", "stored"])
def test_each_planted_change_is_told(terminals: int, shared: bool, row: int, what: str) -> None:
    recording = busy(terminals, shared).recording()
    assert checked(terminals, shared, recording) is None
    draw = np.random.default_rng([terminals, row])
    sender, taker = at_ends(terminals)
    routers = Routers(terminals, shared)
    valid, word = recording["valid"], recording["word"]
    for _ in range(5):
        changed = dict(recording)
        if what in ("bit", "missing", "added"):
            here = np.flatnonzero(valid[row, : routers.outputs] == (what != "added"))
            at = int(draw.choice(here))
            router, kind = sender[at], "word"
            was = int(word[row, at]) if valid[row, at] else None
            seen: int | None = None
            if what == "bit":
                seen = int(word[row, at]) ^ 1 << int(draw.integers(WORD_BITS))
            elif what == "added":
                seen = 0
            changed |= {"valid": valid.copy(), "word": word.copy()}
            changed["valid"][row, at] = seen is not None
            changed["word"][row, at] = seen or 0
        else:
            kind = what
            count = recording[what].shape[1]
            links = [link for link in range(count) if what != "credit" or taker[link] is not None]
            at = int(draw.choice(links))
            was = int(recording[what][row, at])
            seen = 1 - was
            changed[what] = recording[what].copy()
            changed[what][row, at] = seen
            if what == "credit":
                router = taker[at]
            elif what == "stored":
                router = at
            else:
                same = (routers.routers == routers.places[at, :2]).all(axis=1)
                router = int(np.flatnonzero(same)[0])
        output = checked(terminals, shared, changed)
        assert output is not None and router is not None
        expected = Difference(row % BURST, kind, at, was, seen, router)  # type: ignore[arg-type]
        assert output == (row // BURST, expected)


def test_the_first_difference_is_told() -> None:
    """Of one clock, by kind and then by number; the earliest clock before all."""
    recording = busy(16, True).recording()
    _, taker = at_ends(16)
    links = [link for link in range(64) if taker[link] is not None]
    plants = [("word", 3), ("word", 20), ("credit", links[2]), ("credit", links[-1])]
    plants += [("stored", 1), ("stored", 4), ("state", 7), ("state", 9), ("home", 0), ("home", 63)]
    for first in range(len(plants)):
        changed = {kind: column.copy() for kind, column in recording.items()}
        for kind, at in plants[first:]:
            column = changed["valid" if kind == "word" else kind]
            column[40, at] = not column[40, at]
        changed["valid"][41] = False
        output = checked(16, True, changed)
        assert output is not None and output[0] == 0
        assert (output[1].row, output[1].what, output[1].at) == (40, *plants[first])


def test_a_word_from_a_terminal_is_no_fault_but_what_follows_is() -> None:
    recording = busy(16, True).recording()
    row = int(np.flatnonzero(recording["valid"][:, 48])[5])
    recording["valid"][row, 48] = False
    output = checked(16, True, recording)
    assert output is not None and output[0] == 0 and row < output[1].row < row + 10
    assert output[1].router == 0  # to which terminal 0 sends


@SIZES
def test_a_reset_in_the_middle(terminals: int) -> None:
    recording = busy(terminals, True, reset=70).recording()
    assert recording["state"][70].any() and not recording["state"][71].any()
    assert recording["home"][71].all()
    assert checked(terminals, True, recording) is None
    recording["resets"][70] = False
    output = checked(terminals, True, recording)
    assert output is not None and output[0] * BURST + output[1].row == 71
    recording["resets"][70], recording["resets"][65] = True, True
    output = checked(terminals, True, recording)
    assert output is not None and output[0] * BURST + output[1].row == 66


def test_reset_by_call() -> None:
    burst = busy(16, True).recording(0, BURST)
    routers = Routers(16, True)
    assert routers.check(**burst) is None
    routers.reset()
    assert routers.check(**burst) is None
    assert routers.check(**burst) is not None


@SIZES
@BUFFERS
def test_garbage_does_no_harm(terminals: int, shared: bool) -> None:
    """After each difference it continues: with a fifth word, a fifth credit, words of 64 bits."""
    routers = Routers(terminals, shared)
    counts = (len(routers.links), len(routers.places), len(routers.routers))
    draw = np.random.default_rng(terminals)
    for clock in range(300):
        ones = clock < 100
        of = [(draw.random((1, count)) < 0.5) | ones for count in counts]
        word = draw.integers(1 << 64, size=(1, counts[0]), dtype=np.uint64)
        if ones:
            word[:] = 2**64 - 1
        found = routers.check(of[0], word, of[0], of[1], of[1], of[2], np.zeros(1, dtype=bool))
        assert found is not None and found.row == 0
        for column in (kernel.COUNT, kernel.OWED):
            counted = routers._registers[:, column : column + kernel.PORTS]
            assert counted.min() >= 0 and counted.max() <= 4
    routers.reset()
    assert routers.check(**busy(terminals, shared).recording()) is None


def test_shapes_are_checked() -> None:
    recording = busy(16, True).recording()
    recording["state"] = recording["state"][:, 1:]
    with pytest.raises(ValueError, match=r"state: has shape \(180, 63\); allowed is \(180, 64\)"):
        Routers(16, True).check(**recording)


def test_rows_of_bits_are_checked() -> None:
    routers = Routers(16, True)
    rows = [np.zeros((3, count), np.uint8) for count in (8, 8, 17)]
    valid, credit, shown = rows
    word, resets = np.zeros(0, np.uint64), np.zeros(3, np.bool_)
    with pytest.raises(ValueError, match=r"shown: has shape \(3, 16\); allowed is \(3, 17\) or"):
        routers.check_bits(valid, word, credit, shown[:, 1:], resets)
    with pytest.raises(ValueError, match=r"valid: has shape \(2, 8\); allowed is \(3, 8\) or more"):
        routers.check_bits(valid[1:], word, credit, shown, resets)
    valid[1, 2] = 0b101
    with pytest.raises(ValueError, match=r"words: has shape \(0,\); allowed is \(2,\)"):
        routers.check_bits(valid, word, credit, shown, resets)
