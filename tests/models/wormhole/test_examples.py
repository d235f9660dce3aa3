"""The contract's examples, worked by hand there: `docs/wormhole.md`, "Examples"."""

import pytest

from fattree_models import xgft
from fattree_models.traffic import Packets
from fattree_models.wormhole import Network, Simulation, Trace
from fattree_models.wormhole.generator import Generator
from fattree_models.wormhole.plain.network import Reference

ONE = xgft.kary(2, 1)
OUT = {0: 0, 1: 1}  # links from the switch to leaves
FROM = {0: 2, 1: 3}  # links from leaves to the switch
Model = type[Reference] | type[Simulation]
both = pytest.mark.parametrize("model", [Reference, Simulation])


def flits(trace: Trace, link: int) -> dict[int, tuple[int, int, int]]:
    """Return packet, index and VC of what is on a link, by clock."""
    rows = zip(trace.packet[:, link], trace.index[:, link], trace.vc[:, link], strict=True)
    seen = {c: (int(p), int(i), int(v)) for c, (p, i, v) in enumerate(rows)}
    return {c: flit for c, flit in seen.items() if flit[0] >= 0}


def credits(trace: Trace, link: int) -> dict[int, int]:
    """Return VCs, as bits, of the credits on a link, by clock."""
    return {c: int(bits) for c, bits in enumerate(trace.credits[:, link]) if bits}


@both
def test_a_packet_of_two_flits(model: Model) -> None:
    """Three stages, one VC: H leaves in 0, is on the link out in 5."""
    run = model(Network(tree=ONE, stages=3, vcs=1, depth=4))
    run.load(Packets.of(0, 1, [0], 2))
    trace = run.run(12)
    assert trace is not None
    assert flits(trace, FROM[0]) == {1: (0, 0, 0), 2: (0, 1, 0)}
    assert flits(trace, OUT[1]) == {5: (0, 0, 0), 6: (0, 1, 0)}
    assert credits(trace, FROM[0]) == {5: 1, 6: 1}
    assert credits(trace, OUT[1]) == {6: 1, 7: 1}


def test_registers_of_that_packet() -> None:
    """Queue, routed, active, port, busy and credits, clock by clock."""
    run = Reference(Network(tree=ONE, stages=3, vcs=1, depth=4))
    run.load(Packets.of(0, 1, [0], 2))
    expected = {  # queue, routed, active, port, busy, credit, credits of leaf 0
        0: (0, 0, 0, 0, 0, 4, 4),
        1: (0, 0, 0, 0, 0, 4, 3),
        2: (1, 0, 0, 0, 0, 4, 2),
        3: (2, 1, 0, 1, 0, 4, 2),
        4: (2, 1, 1, 1, 1, 4, 2),
        5: (1, 1, 1, 1, 1, 3, 2),
        6: (0, 0, 0, 1, 0, 2, 3),
        7: (0, 0, 0, 1, 0, 3, 4),
        8: (0, 0, 0, 1, 0, 4, 4),
    }
    (switch,) = run.switches
    for clock, registers in expected.items():
        one, out = switch.inputs[0], switch.outputs[1][0]
        own = (len(one.queue), one.routed, one.active, one.port, out.busy, out.credit)
        assert (*own, run.leaves[0].credit[0]) == registers, clock
        pointers = [getattr(each[1], "pointer", None) for each in (switch.vc_arbiter,)]
        assert pointers == [1 if clock >= 4 else 0]
        assert getattr(switch.port_arbiter[1], "pointer", None) == (1 if clock >= 5 else 0)
        run.run(1)


@both
def test_two_packets_for_one_leaf(model: Model) -> None:
    """One stage, two VCs: b waits a clock for its VC; then a and b take turns."""
    run = model(Network(tree=ONE, stages=1, vcs=2, depth=4))
    run.load(Packets.of([0, 1], 0, 0, [2, 3]))
    trace = run.run(12)
    assert trace is not None
    a, b = 0, 1
    assert flits(trace, OUT[0]) == {
        3: (a, 0, 0),
        4: (b, 0, 1),
        5: (a, 1, 0),
        6: (b, 1, 1),
        7: (b, 2, 1),
    }
    assert credits(trace, OUT[0]) == {4: 1, 5: 2, 6: 1, 7: 2, 8: 2}


@both
def test_credits_that_run_out(model: Model) -> None:
    """Two flits in four clocks go with one stage and a queue of two."""
    run = model(Network(tree=ONE, stages=1, vcs=1, depth=2))
    run.load(Packets.of([0], 1, 0, [4]))
    trace = run.run(12)
    assert trace is not None
    assert sorted(flits(trace, FROM[0])) == [1, 2, 5, 6]
    assert sorted(flits(trace, OUT[1])) == [3, 4, 7, 8]
    assert sorted(credits(trace, FROM[0])) == [3, 4, 7, 8]
    assert sorted(credits(trace, OUT[1])) == [4, 5, 8, 9]


@both
def test_draws(model: Model) -> None:
    """The words of both switches of level 1, in the two clocks behind a reset."""
    run = model(Network(tree=xgft.kary(2, 2), vcs=1, routing="RANDOM"), seed=0x12345678)
    run.run(7, resets=[6])
    trace = run.run(2)
    assert trace is not None
    assert [hex(word) for word in trace.draws[:, 0]] == ["0x8c032fc1", "0xd6941cbc"]
    assert [hex(word) for word in trace.draws[:, 1]] == ["0x2e5aa50a", "0x2580d697"]


def test_draws_of_inputs() -> None:
    """The random bits of each input VC."""
    for s, expected in enumerate(
        (
            ((0x2FC1, 0xF831, 0x0630, 0xC601), (0x1CBC, 0x979A, 0xF35A, 0x6B4A)),
            ((0xE5AA, 0xB54A, 0xA942, 0x2851), (0x580D, 0x01AD, 0x35A5, 0xB4B9)),
        )
    ):
        generator = Generator(0x12345678, s)
        for row in expected:
            assert tuple(generator.draw(4 * s + i) for i in range(4)) == row
            generator.step()
