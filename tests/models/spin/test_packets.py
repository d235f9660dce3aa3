"""SPIN's words and packets under every single and double error, and its reads and writes."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models import spin
from fattree_models.spin import codec
from fattree_models.spin.codec import BEGIN, DATA, END, ERROR, PARITY, Received
from tests.models.refused import refused


def forward(word):
    """What a router sends on for a word that came: marked as wrong if its parity is."""
    if word.bit_count() % 2 == 0:
        return word
    return spin.parity_word((word | ERROR) & (BEGIN | END | ERROR), word & DATA)


class Initiator:
    """Sends requests of two words with the lowest free tag; at most four wait."""

    def __init__(self, terminal):
        self.terminal, self.waiting = terminal, {}

    def may_send(self, target):
        return len(self.waiting) < 4 and all(r.dst != target for r in self.waiting.values())

    def request(self, target, address, data):
        tag = min(set(range(spin.TAGS)) - set(self.waiting))
        ends = (target, self.terminal, tag, data is not None)
        given = () if data is None else tuple(data.tolist())
        self.waiting[tag] = spin.Message(*ends, words=2, address=address, data=given)
        return self.waiting[tag]


WORD = st.integers(0, DATA)
HEADER = st.integers(0, 2**27 - 1)
FRONT = (0, [2 ^ 4 << 27, 0])  # its first two words, but for a bit, are a header and its check
REAR = (3, [3 << 27 ^ 1 << 30, 5])  # so are its last three, header, payload and check
SHORT = [(0x2A, []), (2**27 - 1, [0]), (0, [0, 0]), (0x1205, [7, 0xF0F0F0F0]), FRONT, REAR]


@given(HEADER, st.lists(WORD, max_size=16))
def test_what_is_sent_is_received(header, payload):
    words = spin.encode(header, payload)
    assert spin.receive(words) == [Received(header, tuple(payload), ())]
    for number, word in enumerate(words.tolist()):
        marks = format(word, "036b")[:4]
        assert marks[0] == str(int(number == 0)) and marks[1] == str(int(number == words.size - 1))
        assert format(word, "b").count("1") % 2 == 0 and marks[3] == "0"
        assert forward(word) == word
    assert int(words[0]) & 255 == spin.receive(words)[0].dst


@given(st.lists(WORD, max_size=17))
def test_the_check_by_strings(data):
    """Rotation on a string of bits, exclusive or bit by bit."""
    check = "0" * 31 + "1"
    for word in data:
        turned = check[1:] + check[0]
        bits = zip(turned, format(word, "032b"), strict=True)
        check = "".join(str(int(a != b)) for a, b in bits)
    assert spin.check_of(data) == int(check, 2)


def look(words, bits):
    """Receive a packet with flipped bits, before another packet; assert that nothing is silent.

    What is not flagged is what was sent; return the flags of all.
    """
    after = spin.encode(0x77, [1, 2])
    got = spin.receive(np.concatenate([spin.flip(words, bits), after]))
    sent = [*spin.receive(words), *spin.receive(after)]
    flagged = [packet for packet in got if packet.flags]
    assert all(packet in sent for packet in got if not packet.flags), bits
    assert flagged, bits
    return {flag for packet in flagged for flag in packet.flags}


def every_flip(header, payload, most):
    """Look at all single, or all double flips of a packet; return what flags them, counted."""
    words = spin.encode(header, payload)
    counts = Counter()
    for bits in itertools.combinations(range(36 * words.size), most):
        flags = look(words, bits)
        counts[min(flags, key=codec.FLAGS.index)] += 1
        same_word = most == 2 and bits[0] // 36 == bits[1] // 36
        assert ("parity" in flags) == (not same_word)
    return counts


@pytest.mark.parametrize(("header", "payload"), SHORT)
def test_every_single_flip(header, payload):
    assert every_flip(header, payload, 1) == {"parity": 36 * (len(payload) + 2)}


@pytest.mark.parametrize(("header", "payload"), SHORT)
def test_every_double_flip(header, payload):
    counts = every_flip(header, payload, 2)
    words = len(payload) + 2
    bits = 36 * words
    assert sum(counts.values()) == bits * (bits - 1) // 2
    assert counts["parity"] == 36 * 36 * words * (words - 1) // 2
    assert counts["trailer"] >= (words - 1) * 32 * 31 // 2
    assert counts["error"] + counts["framing"] + counts["trailer"] == words * 36 * 35 // 2


@pytest.mark.parametrize(("packet", "fault"), [(FRONT, "length"), (REAR, "early")])
def test_a_check_is_not_enough(monkeypatch, packet, fault):
    """Without the length, or if what begins in a packet were trusted, a part passes as a packet."""
    true = codec._received

    def trusting(words, early):
        got = true(words, early)
        only = words[0] & BEGIN and words[-1] & END and (fault == "early" or not early)
        only = only and (fault == "length" or len(words) == codec._length(words))
        flags = [flag for flag in got.flags if not (only and flag == "framing")]
        return Received(got.header, got.payload, tuple(flags))

    monkeypatch.setattr(codec, "_received", trusting)
    with pytest.raises(AssertionError):
        every_flip(*packet, 2)


@pytest.mark.parametrize(
    ("fault", "most"),
    [("trailer ignored", 2), ("parity ignored", 1), ("parity ignored", 2), ("error ignored", 2)],
)
def test_a_receiver_that_ignores_something_lets_errors_pass(monkeypatch, fault, most):
    ignored = fault.split()[0]
    monkeypatch.setattr(codec, "FLAGS", tuple(flag for flag in codec.FLAGS if flag != ignored))
    with pytest.raises(AssertionError):
        for header, payload in SHORT:
            every_flip(header, payload, most)


@settings(max_examples=60)
@given(HEADER, st.lists(WORD, min_size=2, max_size=16), st.data())
def test_lost_and_swapped_words(header, payload, data):
    """A word lost, doubled, or swapped with its neighbour is seen if anything has changed.

    Unless one is the inverse of the other: then all bits differ, and also when rotated.
    """
    words = spin.encode(header, payload).tolist()
    place = data.draw(st.integers(1, len(payload) - 1))
    swapped = [*words[:place], words[place + 1], words[place], *words[place + 2 :]]
    for changed in (
        words[:place] + words[place + 1 :],
        words[:place] + words[place - 1 :],
        swapped,
    ):
        (got, *rest) = spin.receive(changed)
        if spin.check_of([word & DATA for word in changed[:-1]]) != changed[-1] & DATA:
            assert got.flags or rest
    if payload[place - 1] ^ payload[place] not in (0, DATA):
        assert spin.receive(swapped)[0].flags == ("trailer",)


def test_zeros_lost_are_seen():
    """Not so with a check that begins with 0 and does not rotate."""
    words = spin.encode(0, [0] * 16).tolist()
    for fewer in range(1, 16):
        assert "trailer" in spin.receive(words[:1] + words[1 + fewer :])[0].flags


def test_routers_mark_what_came_wrong():
    """Whatever bit is flipped, on one link or on two: the mark, or the parity, says so."""
    word = spin.parity_word(BEGIN, 0x2A)
    for first in range(36):
        marked = forward(word ^ 1 << first)
        assert marked & ERROR and marked.bit_count() % 2 == 0
        assert marked & DATA == (word ^ 1 << first) & DATA
        for second in range(36):
            again = forward(marked ^ 1 << second)
            assert again & ERROR and again.bit_count() % 2 == 0
    assert spin.receive([forward(w) for w in spin.flip(spin.encode(5, [1]), [40]).tolist()])[
        0
    ].flags == ("trailer", "error")


def test_framing():
    begin, middle, end = spin.encode(3, [9]).tolist()
    cases = {
        "no begin": [middle, end],
        "no end": [begin, middle],
        "one word": [spin.parity_word(BEGIN | END, 3)],
        "too long": [begin, *[middle] * 2, end],
        "too short": [begin, end],
        "begin in a packet": [begin, begin, middle, end],
    }
    for name, words in cases.items():
        assert "framing" in spin.receive(words)[0].flags, name
    assert spin.receive([begin, begin, middle, end])[1].flags == ("framing",)
    assert spin.receive([middle, begin, middle, end])[1].flags == ()
    assert spin.receive([]) == []
    assert (BEGIN, END, PARITY, ERROR) == (2**35, 2**34, 2**33, 2**32)


# ---- reads and writes ----------------------------------------------------------------------------


@st.composite
def messages(draw):
    write, response, error = (draw(st.booleans()) for _ in range(3))
    error = error and response
    words = draw(st.integers(1, spin.MOST_BURST))
    has_data = write != response and not error
    data = draw(st.lists(WORD, min_size=words, max_size=words)) if has_data else []
    ends = {"dst": st.integers(0, 255), "src": st.integers(0, 255), "tag": st.integers(0, 15)}
    given_ends = {name: draw(each) for name, each in ends.items()}
    address = 0 if response else draw(WORD)
    return spin.Message(**given_ends, **locals_of(write, response, error, words, address, data))


def locals_of(write, response, error, words, address, data):
    return {
        "write": write,
        "response": response,
        "error": error,
        "words": words,
        "address": address,
        "data": tuple(data),
    }


@settings(max_examples=100)
@given(messages())
def test_messages_are_packets(sent):
    (packet,) = spin.receive(sent.packet())
    assert spin.message(packet) == sent and packet.dst == sent.dst
    assert sent.packet().size <= spin.MOST_WORDS


def play(seed, rule=True):
    """Random reads and writes over a network that delivers in any order; return all faults.

    Each pair has its own addresses, and the initiator knows what it wrote there.  Without `rule`
    it may have several requests to one target outstanding.
    """
    rng = np.random.default_rng(seed)
    memory = {t: spin.Memory(64) for t in (8, 9)}
    watcher = spin.Watcher({t: spin.Memory(64) for t in (8, 9)})
    initiators = {i: Initiator(i) for i in (1, 2)}
    written, expected, faults, air = {}, {}, [], []
    for _ in range(600):
        move = rng.integers(3)
        if move == 0:
            src, dst = int(rng.integers(1, 3)), int(rng.integers(8, 10))
            one = initiators[src]
            if rule and not one.may_send(dst):
                continue
            if not rule and len(one.waiting) >= 4:
                continue
            address = 16 * src + int(rng.integers(14))
            data = rng.integers(0, 99, 2) if rng.random() < 0.5 else None
            request = one.request(dst, address, data)
            faults += watcher.sent(request) if rule else []
            for offset in (0, 1):
                place = (dst, address + offset)
                if data is not None:
                    written[place] = int(data[offset])
            known = tuple(written.get((dst, address + k), 0) for k in (0, 1))
            expected[src, request.tag] = known if data is None else ()
            air.append(request.packet())
        elif air:
            (packet,) = spin.receive(air.pop(int(rng.integers(len(air)))))
            item = spin.message(packet)
            if not item.response:
                faults += watcher.served(item) if rule else []
                air.append(memory[item.dst].serve(item).packet())
            else:
                faults += watcher.answered(item) if rule else []
                if item.data != expected.pop((item.dst, item.tag)):
                    faults.append("read something else than was written")
                del initiators[item.dst].waiting[item.tag]
    return faults


def test_reads_and_writes_in_order_over_a_network_without():
    assert [play(seed) for seed in range(5)] == [[]] * 5
    late = set(itertools.chain.from_iterable(play(seed, rule=False) for seed in range(5)))
    assert late == {"read something else than was written"}


def test_faults_have_names():
    memory = spin.Memory(8)
    watcher = spin.Watcher({2: spin.Memory(8)}, outstanding=2)
    request = spin.Message(2, 1, 0, words=2, address=1)
    assert watcher.served(request) == ["serves no request"]
    assert watcher.sent(spin.Message(3, 1, 0)) == ["no such target"]
    assert watcher.sent(request) == []
    assert watcher.answered(memory.serve(request)) == ["answers no request"]
    assert watcher.served(request) == []
    assert watcher.served(request) == ["serves no request"]
    good = memory.serve(request)
    wrong = spin.Message(1, 2, 0, response=True, words=2, data=(0, 1))
    other = spin.Message(1, 3, 0, response=True, words=2, data=(0, 0))
    assert watcher.answered(other) == ["wrong source"]
    assert watcher.answered(wrong) == ["wrong data"]
    assert watcher.answered(good) == ["answers no request"]
    assert watcher.sent(request) == watcher.served(request) == watcher.answered(good) == []


test_bad_arguments = refused(
    (lambda: spin.encode(0, [0] * 17), r"payload: has shape \(17,\); allowed are 0 … 16 words"),
    (lambda: spin.encode(2**32, []), "header: is 4294967296; allowed are integers 0 … 134217727"),
    (lambda: spin.parity_word(1, 0), "marks: is 1; allowed are sums of BEGIN, END, ERROR"),
    (lambda: spin.flip([0], [36]), "bits: is 36; allowed are integers 0 … 35"),
    (lambda: spin.Message(0, 0, 0, write=True), "data: has 0 words; allowed are 1"),
    (lambda: spin.Message(0, 0, 16), "tag: is 16; allowed are integers 0 … 15"),
    (
        lambda: spin.message(Received(0, (), ("parity", "trailer"))),
        "packet: is flagged parity, trailer; allowed are sound ones",
    ),
    (lambda: spin.message(Received(0, (), ())), "packet: has header 0x0; allowed are requ"),
)
