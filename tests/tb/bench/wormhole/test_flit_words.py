"""What flits say of themselves, and the numbers, addresses and routes that are read from it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fattree_bench.bench.links.flit.packets import VALID
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.routes import count_hops, decode_hops, encode_hops
from fattree_bench.families.xgft.network import FtreeMn
from fattree_models import xgft
from fattree_models.traffic import Packets
from tests.tb.bench.wormhole.software import body_word, head_word, item_of, kary, plan_of


@st.composite
def networks(draw: st.DrawFn) -> Wormhole:
    """Small ones, with words of any width that they allow."""
    levels = draw(st.integers(1, 4))
    least = kary(LEVELS=levels, WIDTH=64)
    low = 12 + max(least.words.header_bits, least.words.node_bits + 7)
    return kary(LEVELS=levels, WIDTH=draw(st.integers(low, 64)))


@given(networks(), st.data())
def test_head_words_come_back(network: Wormhole, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, (1 << network.words.number_bits) - 1))
    source, address = (data.draw(st.integers(0, network.leaves - 1)) for _ in range(2))
    kind, answered = data.draw(st.integers(0, 1)), data.draw(st.booleans())
    word = head_word(network, number, kind, source, address)
    tags, wrong = network.words.read(np.array([word], np.uint64), np.array([True]), answered)
    assert not wrong[0]
    assert (tags.number[0], tags.index[0], tags.reply[0]) == (number, 0, kind)
    assert (tags.source[0], tags.address[0]) == (source, address)
    fields = (tags.number, tags.index, tags.reply, tags.owner, tags.source, tags.address)
    assert network.words.write(*fields).tolist() == [word]
    assert tags.owner[0] == (address if kind and answered else source)


@given(networks(), st.data())
def test_a_flipped_bit_of_a_head_names_no_other(network: Wormhole, data: st.DataObject) -> None:
    """The number that it says then is far from those of packets that may be on their way."""
    bits = network.words.number_bits
    number = data.draw(st.integers(0, (1 << bits) - 1))
    source, address = (data.draw(st.integers(0, network.leaves - 1)) for _ in range(2))
    word = head_word(network, number, data.draw(st.integers(0, 1)), source, address)
    flipped = np.uint64(word) ^ (np.uint64(1) << np.arange(network.width, dtype=np.uint64))
    tags, wrong = network.words.read(flipped, np.ones(network.width, np.bool_), False)
    away = (tags.number - number) % (1 << bits)
    assert (wrong | (np.minimum(away, (1 << bits) - away) >= 1 << bits - 6)).all()


@given(networks(), st.data())
def test_body_words_come_back(network: Wormhole, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, (1 << network.words.number_bits) - 1))
    index, kind = data.draw(st.integers(1, 63)), data.draw(st.integers(0, 1))
    owner = data.draw(st.integers(0, network.leaves - 1))
    word = body_word(network, number, index, kind, owner)
    tags, wrong = network.words.read(np.array([word], np.uint64), np.array([False]), True)
    assert not wrong[0]
    assert (tags.number[0], tags.index[0], tags.reply[0], tags.owner[0]) == (
        *(number, index, kind, owner),
    )
    assert (tags.source[0], tags.address[0]) == (-1, -1)
    fields = (tags.number, tags.index, tags.reply, tags.owner, tags.source, tags.address)
    assert network.words.write(*fields).tolist() == [word]


@pytest.mark.parametrize("head", [False, True])
def test_bits_above_the_number_are_wrong(head: bool) -> None:
    """Those of a head also say the number; those of the tag of another flit must be zero."""
    words = FlitWords(width=64, address_bits=3, node_bits=3, number_bits=12, paths=1)
    seen = np.array([1 << 63 if head else 12345678901234567], np.uint64)
    assert words.read(seen, np.array([head]), False)[1].tolist() == [True]


def test_owner_of_a_reply_where_leaves_have_several_addresses() -> None:
    network = FtreeMn.from_variables({"PORTS": "4", "LEVELS": "2"})
    assert network.ways.paths == 2
    word = head_word(network, 5, 1, 3, 6 * 2 + 1)
    tags, _ = network.words.read(np.array([word], np.uint64), np.array([True]), True)
    assert tags.owner[0] == 6


# ---- routes --------------------------------------------------------------------------------------


@given(st.integers(1, 6), st.integers(1, 5), st.data())
def test_hop_lists_come_back(bits: int, most: int, data: st.DataObject) -> None:
    ports = st.lists(st.integers(0, (1 << bits) - 2), max_size=most)
    routes = data.draw(st.lists(ports, min_size=1, max_size=5))
    hops = np.array([route + [-1] * (most - len(route)) for route in routes])
    code = encode_hops(hops, bits)
    assert (decode_hops(code, most, bits) == hops).all()
    assert count_hops(code, bits).tolist() == [len(route) for route in routes]


def test_a_hop_list_by_hand() -> None:
    """As xgft_output_unit.v builds it: each switch shifts the list and adds its port + 1."""
    code = encode_hops(np.array([[2, 1, 0], [1, -1, -1]]), 3)
    assert code.tolist() == [(2 + 1) << 6 | (1 + 1) << 3 | 1, 2]


def test_routes_by_hand() -> None:
    """Leaf 1 to leaf 2 by parent 0; a detour to a leaf of the same switch; not arrived."""
    network = kary()
    hops = np.array([[2, 1, 0], [2, 0, 0], [-1, -1, -1]])
    code = encode_hops(hops, network.ways.hop_bits)
    routes = network.ways.read(np.array([1, 1, 1]), np.array([2, 0, 0]), code)
    assert (routes.hops == hops).all()
    assert routes.count.tolist() == [3, 3, 0]
    assert routes.legal.tolist() == [True, False, False]
    assert routes.level.tolist() == [[1, 2, 1], [1, 2, 1], [-1, -1, -1]]
    assert routes.node.tolist() == [[0, 0, 1], [0, 0, 0], [-1, -1, -1]]


@pytest.mark.parametrize("routing", ["DMODK", "SMODK", "OPENSM"])
def test_expected_routes_are_those_of_the_model(routing: str) -> None:
    network = kary(LEVELS=3, ROUTING=routing)
    codes = network.ways.expected_routes
    assert codes is not None
    source, destination = np.divmod(np.arange(64), 8)
    hops = decode_hops(codes, network.ways.max_hops, network.ways.hop_bits)
    assert (xgft.walk(network.tree, source, hops).end == destination).all()
    assert (
        hops[:, : network.ways.max_hops] == network.ways.expected_hops(source, destination)
    ).all()


def test_no_route_is_expected_where_switches_choose() -> None:
    assert kary(ROUTING="ADAPTIVE").ways.expected_routes is None


# ---- lists ---------------------------------------------------------------------------------------


def play(packets: Packets, **variables: object) -> Playing:
    plan = plan_of(kary(**variables), item_of(packets))
    return Playing(plan, np.random.default_rng(1))


def test_offers_by_hand() -> None:
    """From bit 0: release, address, flits, virtual channels, class; bit 63: there is one."""
    packets = Packets.of([0, 0, 0, 2], [3, 1, 2, 0], [7, 40, 41, 0], [5, 1, 1, 2], [0, 1, 0, 0])
    playing = play(packets, VCS=4, CLASSES=2)
    rows = playing.offers(0, 41, 8)

    def offer(release: int, address: int, flits: int, vcs: int, kind: int) -> int:
        return VALID | kind << 44 | vcs << 40 | flits << 32 | address << 16 | release

    assert rows.tolist() == [
        [offer(7, 3, 5, 0b0011, 0), 0, offer(0, 0, 2, 0b0011, 0), 0],
        [offer(40, 1, 1, 0b1100, 1), 0, 0, 0],
    ]


def test_offers_go_on_where_the_last_burst_stopped() -> None:
    playing = play(Packets.of(0, [1, 2, 3, 1], [0, 10, 20, 30]))
    playing.seen.begun[0] = 1
    offers = playing.offers(15, 10, 8)
    assert (offers[:, 0] & np.uint64(0xFFFF)).tolist() == [0, 5]
    assert (offers[:, 0] >> np.uint64(16) & np.uint64(0xFFFF)).tolist() == [2, 3]
    assert playing.offers(15, 10, 1).shape == (1, 4)  # no more than there are rows
    playing.seen.begun[0] = 4
    assert playing.offers(100, 10, 8).shape == (0, 4)


def test_with_keep_each_destination_has_its_virtual_channel() -> None:
    packets = Packets.of(0, [0, 1, 2, 3], np.arange(4), 1, [0, 0, 1, 1])
    assert play(packets, VCS=4, VC_MODE="KEEP").sent.start_vcs.tolist() == [1, 2, 4, 8]
    both = play(packets, VCS=4, VC_MODE="KEEP", CLASSES=2)
    assert both.sent.start_vcs.tolist() == [1, 2, 4, 8]
    three = play(packets, VCS=3, VC_MODE="KEEP", CLASSES=2)
    assert three.sent.start_vcs.tolist() == [1, 1, 4, 4]


@pytest.mark.parametrize("gone", [False, True], ids=["delivered", "taken-by-a-reset"])
def test_numbers_wrap_around(gone: bool) -> None:
    """The flits carry 12 bits of a number; the packets on their way are fewer than half as many."""
    count = 20_000
    playing = play(Packets.of(0, 1, np.arange(count)), LEVELS=2, WIDTH=21)
    assert playing.link.words.number_bits == 12
    on_their_way = 900
    for begun in range(1000, count, 1000):
        playing.seen.begun[0] = begun
        done = slice(0, begun - on_their_way)
        if gone:
            playing.seen.gone[done] = True
        else:
            playing.seen.arrival[done] = 1
        numbers = np.arange(begun - on_their_way, begun)
        owner = np.zeros(on_their_way, np.int64)
        assert (playing.seen.unwrap(owner, numbers % 4096) == numbers).all()


def test_a_request_is_old_until_its_reply_has_come() -> None:
    """The reply carries the number of its request: it must not wrap around before."""
    from fattree_bench.bench.links.flit.packets import Answers

    network = kary(VCS=2, CLASSES=2, WIDTH=21)
    packets = Packets.of(0, 1, np.arange(5000))
    item = item_of(packets, answers=Answers(1, 4))
    playing = Playing(plan_of(network, item), np.random.default_rng(1))
    playing.seen.begun[0] = 3000
    playing.seen.arrival[:3000] = 1  # all requests have come, the first reply has not
    playing.seen.arrival[5001:8000] = 2
    assert playing.seen.unwrap(np.array([0]), np.array([0])).tolist() == [0]
