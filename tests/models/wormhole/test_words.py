"""Words of flits, and hashes of them and of credits."""

import numpy as np
import pytest
from hypothesis import given, settings

from fattree_models import xgft
from fattree_models.ruft.routing import Ruft
from fattree_models.traffic import Packets
from fattree_models.wormhole import Answer, Network, Simulation, Words, hashes, run
from fattree_models.wormhole import simulation as simulated
from fattree_models.wormhole.item import Item
from tests.models.wormhole.cases import Case, cases

GOLDEN, MIX = 0x9E3779B97F4A7C15, 0x7100E935FE3A771B


def folded(tag: int) -> int:
    """The word of 32 bits of a flit behind the head."""
    for _ in range(2):
        tag = tag * MIX % 2**32
        tag ^= tag >> 16
    return tag


def test_words_by_hand() -> None:
    """Head and body of the second packet of leaf 1, 16 leaves: A = N = 4, B = 21."""
    network = Network(tree=xgft.kary(4, 2))
    packets = Packets.of([1, 1], [9, 6], [0, 0], [1, 3])
    simulation = Simulation(network)
    simulation.load(packets)
    trace = simulation.run(60)
    assert trace is not None
    words = Words(network, simulation.wiring, Item.of(network, packets, None))
    written = words.of(trace)
    at = np.argwhere(trace.packet == 1)
    link = simulation.wiring.links - 16 + 1  # from leaf 1
    head, body = (next(r for r, x in at if x == link and trace.index[r, x] == i) for i in (0, 2))
    rest = 6 | 1 << 4
    assert written.data[head, link] == (rest | (MIX ^ rest) << 9) % 2**32
    assert written.data[body, link] == folded(1 | 2 << 5 | 1 << 11)
    assert written.tail[body, link] and not written.head[body, link]
    assert written.hops[head, link, 0] == 0
    # Up by parent 6 % 4 of switch 0, then down: 1 by 6 // 4, 2 by 6 % 4.  Port + 1 in four bits.
    row, place = (each[-1] for each in np.nonzero((trace.packet == 1) & (trace.index == 0)))
    assert (place, written.hops[row, place, 0]) == (trace.packet.shape[1] - 16 + 6, 0x723)


def test_a_reply_has_the_number_of_its_request() -> None:
    """Owner is who asked, source who answers."""
    network = Network(tree=xgft.kary(2, 1), classes=2)
    packets = Packets.of([0, 0], [1, 1], 0, 1)
    simulation = Simulation(network, answer=Answer(2, 4))
    simulation.load(packets)
    trace = simulation.run(40)
    assert trace is not None
    written = Words(network, simulation.wiring, simulation.item).of(trace)
    row, link = (each[0] for each in np.nonzero((trace.packet == 3) & (trace.index == 0)))
    rest = 0 | 1 << 1 | 1 << 2
    assert written.data[row, link] == (rest | (MIX ^ rest) << 3) % 2**32
    row, link = (each[0] for each in np.nonzero((trace.packet == 3) & (trace.index == 1)))
    assert written.data[row, link] == folded(0 | 1 << 1 | 1 << 2 | 1 << 8)


def after(weight: int) -> int:
    y = weight * GOLDEN % 2**64
    return (y ^ y >> 32) | 1


@pytest.mark.parametrize(
    "network",
    [
        Network(tree=xgft.kary(2, 2)),
        Network(tree=Ruft(2, 2), long=2),
        Network(tree=xgft.kary(2, 2), width=40),
        Network(tree=xgft.kary(2, 5)),  # hops of more than 32 bits
    ],
)
def test_hash_by_hand(network: Network) -> None:
    """The hashes of every lane, and of the credits of 32, in plain integers."""
    packets = Packets.of([0, 1, 2, 3], [3, 3, 0, 1], 0, 3)
    simulation = Simulation(network)
    simulation.load(packets)
    trace = simulation.run(40)
    assert trace is not None
    written, words = (Words(network, simulation.wiring, simulation.item) for _ in range(2))
    output, vcs = written.of(trace), network.vcs
    links = trace.vc.shape[1] - (0 if network.long else network.leaves)
    flits, credits = [0] * links * vcs, [0] * -(-links * vcs // 32)
    for row, link in np.ndindex(40, links):
        weights = [after(after(row + 1))]
        for lane in range(vcs):
            if int(trace.credits[row, link]) >> lane & 1:
                word, place = divmod(link * vcs + lane, 32)
                credits[word] += weights[0] << place
        if trace.vc[row, link] < 0:
            continue
        head, tail = bool(output.head[row, link]), bool(output.tail[row, link])
        data, hops = int(output.data[row, link]), int(output.hops[row, link, 0])
        numbers = [data & 0xFFFFFFFF | (4 | head << 1 | tail) << 32]
        numbers += [data >> at & 0xFFFFFFFF for at in range(32, network.width, 32)]
        if head:
            numbers += [hops >> at & 0xFFFFFFFF for at in range(0, words.hops_bits, 32)]
        while len(weights) < len(numbers):
            weights.append(after(weights[-1]))
        total = sum(weight * number for weight, number in zip(weights, numbers, strict=True))
        flits[link * vcs + int(trace.vc[row, link])] += total
    expected = [total % 2**64 for total in flits + credits]
    assert hashes(trace, words).tolist() == expected and any(flits) and any(credits)
    assert output.hops.shape[2] == 1


def test_a_run_is_the_same_in_bursts() -> None:
    """Hashes of bursts are those of the traces; packets keep their hops from burst to burst."""
    network = Network(tree=xgft.kary(2, 3), routing="RANDOM")
    packets = Packets.of(np.arange(8), np.arange(8)[::-1], 0, 2)
    parts = run(network, packets, [7, 9, 34], hashed=True, traced=True)
    whole = run(network, packets, [50], traced=True)
    assert parts.hashes.shape == (3, 48 * 2 + 3)  # 40 links of switches, 8 from leaves
    rows = np.concatenate([trace.packet for trace in parts.traces])
    assert (rows == whole.traces[0].packet).all()
    assert (parts.fates.tail == whole.fates.tail).all() and (whole.fates.tail > 0).all()
    simulation = Simulation(network)
    words = Words(network, simulation.wiring, Item.of(network, packets, None))
    again = [hashes(trace, words) for trace in parts.traces]
    assert (parts.hashes == np.array(again)).all()


@settings(max_examples=60)
@given(cases())
def test_hashes_need_no_trace(case: Case) -> None:
    """The compiled hash equals the hash of the trace, in all networks, resets included."""
    quick, slow = (Simulation(case.network, case.seed, case.answer) for _ in range(2))
    for each in (quick, slow):
        each.load(case.packets)
    words = Words(case.network, slow.wiring, slow.item)
    for burst in case.bursts:
        one = (burst.clocks, burst.resets, burst.stall, burst.may_send)
        trace = slow.run(*one)
        assert trace is not None
        assert (quick.hashed(*one) == hashes(trace, words)).all()


@pytest.mark.parametrize("rows", [1, 1 << 12])
@pytest.mark.parametrize(
    "network", [Network(tree=xgft.kary(2, 3)), Network(tree=Ruft(2, 2), long=3)]
)
def test_a_long_burst_in_pieces(
    network: Network, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer than any weights that are ready; the log holds one clock of it, or some."""
    rng, count = np.random.default_rng(rows), 600
    source, destination = rng.integers(network.leaves, size=(2, count))
    packets = Packets.of(source, destination, np.sort(rng.integers(1300, size=count)), 4)
    monkeypatch.setattr(simulated, "LOG_ROWS", 1 << 20)
    whole = Simulation(network)
    whole.load(packets)
    trace = whole.run(1500)
    assert trace is not None
    expected = hashes(trace, Words(network, whole.wiring, whole.item))
    monkeypatch.setattr(simulated, "LOG_ROWS", rows)
    parts = Simulation(network)
    parts.load(packets)
    assert parts._chunk < 600
    assert (parts.hashed(1500) == expected).all()


@pytest.mark.parametrize(
    ("network", "hops"),
    [
        (Network(tree=xgft.kary(4, 1)), 2),
        (Network(tree=xgft.kary(4, 3)), 5),
        (Network(tree=xgft.gft(2, 2, 2)), 5),
        (Network(tree=Ruft(2, 1)), 2),
        (Network(tree=Ruft(2, 3)), 3),
        (Network(tree=xgft.kary(2, 3), routing="TB", root_links=2, lateral="MANY"), 7),
        (Network(tree=xgft.kary(2, 3), routing="TBWP", lateral="MANY"), 7),
        (Network(tree=xgft.kary(2, 3), routing="TBWP", root_links=2), 8),
        (Network(tree=xgft.kary(2, 3), routing="TBWP", root_links=2, lateral="MANY"), 13),
    ],
)
def test_room_for_hops(network: Network, hops: int) -> None:
    """As many as the contract says; what is lost of longer ways, and the hash, depend on it."""
    packets = Packets.of([], [], [])
    words = Words(network, Simulation(network).wiring, Item.of(network, packets, None))
    assert words.hops_bits == hops * words.hop_bits


def test_refusals() -> None:
    """One line says what is wrong."""
    with pytest.raises(ValueError, match="width: is 9; allowed are more"):
        run(Network(tree=xgft.kary(2, 3), width=9), Packets.of([0], 1, 0), [5], hashed=True)
    with pytest.raises(ValueError, match="kind: holds 2; allowed are 0 … 1"):
        run(Network(tree=xgft.kary(2, 3)), Packets.of([0], 1, 0, kind=2), [5])
    with pytest.raises(ValueError, match="destination: holds 8; allowed are 0 … 7"):
        run(Network(tree=xgft.kary(2, 3)), Packets.of([0], 8, 0), [5])
    simulation = Simulation(Network(tree=xgft.kary(2, 3)))
    simulation.load(Packets.of([0], 1, 0, 9))
    simulation.run(3, record=False)
    with pytest.raises(ValueError, match="packets: the last ones are in the network"):
        simulation.load(Packets.of([0], 1, 0, 9))
    simulation.run(1, resets=[0], record=False)
    simulation.load(Packets.of([0], 1, 0, 9))
    with pytest.raises(ValueError, match=r"resets: holds 9; allowed are 0 … 8"):
        simulation.run(9, resets=[9])
    with pytest.raises(ValueError, match=r"stall: is bool \(9, 7\); allowed is bool \(9, 8\)"):
        simulation.run(9, stall=np.zeros((9, 7), np.bool_))
    with pytest.raises(ValueError, match="seed: is 4294967296; allowed are integers 0"):
        Simulation(simulation.network, 2**32)
    with pytest.raises(ValueError, match="limit: is 0; allowed are integers from 1"):
        Answer(1, 0)
