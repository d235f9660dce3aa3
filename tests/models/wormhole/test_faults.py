"""Faults that designers make, planted in the plain model: each is seen on a link."""

from collections.abc import Callable, Collection

import numpy as np
import pytest

from fattree_models import xgft
from fattree_models.wormhole import Answer, Network
from fattree_models.wormhole.generator import Generator
from fattree_models.wormhole.plain.arbiters import Matrix, RoundRobin
from fattree_models.wormhole.plain.leaf import Leaf, Sending
from fattree_models.wormhole.plain.network import Reference
from fattree_models.wormhole.plain.routes import Head, Router
from fattree_models.wormhole.plain.switch import OnLink, Switch
from tests.models.wormhole.cases import Burst, Case, compare, traffic

Plant = Callable[[pytest.MonkeyPatch], None]


def credit_late(patch: pytest.MonkeyPatch) -> None:
    """Credits are counted one clock late."""
    sound, late = Switch.clock, {}

    def clock(self: Switch, arriving: list[OnLink | None], credits: list[set[int]]) -> None:
        sound(self, arriving, late.get(self, [set()] * self.outs))
        late[self] = credits

    patch.setattr(Switch, "clock", clock)


def vc_late(patch: pytest.MonkeyPatch) -> None:
    """A VC that a tail leaves is free one clock late."""
    sound, held = Switch.clock, {}

    def clock(self: Switch, arriving: list[OnLink | None], credits: list[set[int]]) -> None:
        vcs = [vc for port in self.outputs for vc in port]
        before = [vc.busy for vc in vcs]
        sound(self, arriving, credits)
        for vc in held.get(self, []):
            vc.busy = False
        held[self] = [vc for vc, was in zip(vcs, before, strict=True) if was and not vc.busy]
        for vc in held[self]:
            vc.busy = True

    patch.setattr(Switch, "clock", clock)


def pointer_still(patch: pytest.MonkeyPatch) -> None:
    """The pointer of a round robin stands still."""
    patch.setattr(RoundRobin, "use", lambda self, granted: None)


def pointer_by_one(patch: pytest.MonkeyPatch) -> None:
    """The pointer advances by one, wherever the grant was."""

    def use(self: RoundRobin, granted: int) -> None:
        self.pointer = (self.pointer + 1) % self.requesters

    patch.setattr(RoundRobin, "use", use)


def order_still(patch: pytest.MonkeyPatch) -> None:
    """The order of a matrix stands still."""
    patch.setattr(Matrix, "use", lambda self, granted: None)


def idle_after_other_vc(patch: pytest.MonkeyPatch) -> None:
    """An input port idles for a clock after it moved."""
    sound = Switch._allocate_switch

    def allocate(self: Switch, *given: dict[int, int]) -> dict[int, tuple[int, int]]:
        taken = sound(self, *given)  # type: ignore[arg-type]
        vcs = self.network.vcs
        return {i: to for i, to in taken.items() if not self.back[i // vcs]}

    patch.setattr(Switch, "_allocate_switch", allocate)


def room_ignored(patch: pytest.MonkeyPatch) -> None:
    """No output seems to have room."""
    patch.setattr(Switch, "room", lambda self, port: 0)


def free_vc_ignored(patch: pytest.MonkeyPatch) -> None:
    """Room is of credits alone."""
    patch.setattr(Switch, "room", lambda self, port: any(v.credit for v in self.outputs[port]))


def home_ignored(patch: pytest.MonkeyPatch) -> None:
    """The lowest VC is given, home or not."""
    patch.setattr(Switch, "_preferred", lambda self, out, may: min(may))


def parent_thrice(patch: pytest.MonkeyPatch) -> None:
    """One parent is chosen three times as often."""
    sound = Router._parent

    def parent(self: Router, i: int, head: Head) -> int:
        found = sound(self, i, head)
        return 0 if self.draw(i) & 1 else found

    patch.setattr(Router, "_parent", parent)


def generator_stops(patch: pytest.MonkeyPatch) -> None:
    """Generators stand still when their word is of a rare kind."""
    sound = Generator.step

    def step(self: Generator) -> None:
        if self.word & 15:
            sound(self)

    patch.setattr(Generator, "step", step)


def draws_alike(patch: pytest.MonkeyPatch) -> None:
    """All inputs draw the same bits."""
    sound = Generator.draw
    patch.setattr(Generator, "draw", lambda self, lane: sound(self, 0))


def route_kept(patch: pytest.MonkeyPatch) -> None:
    """Routes are held where they should be requested again."""
    patch.setattr(Router, "hold", True)


def ahead_forgotten(patch: pytest.MonkeyPatch) -> None:
    """A head behind a tail does not ask ahead."""
    sound = Switch._routes

    def routes(self: Switch) -> tuple[set[int], set[int], dict[int, int]]:
        ask, ahead, route = sound(self)
        return ask, set(), {i: out for i, out in route.items() if i not in ahead}

    patch.setattr(Switch, "_routes", routes)


def limit_ignored(patch: pytest.MonkeyPatch) -> None:
    """Credits for requests are given however many replies wait."""
    sound = Leaf._sink
    patch.setattr(
        Leaf, "_sink", lambda self, arriving, stalled, _: sound(self, arriving, stalled, 0)
    )


def turn_ignored(patch: pytest.MonkeyPatch) -> None:
    """Replies always go first."""
    sound = Leaf._begin
    patch.setattr(Leaf, "_begin", lambda self, packet, vc, turn: sound(self, packet, vc, 1))


def lowest_vc_first(patch: pytest.MonkeyPatch) -> None:
    """A source continues with the lowest VC, not with the last flit's."""
    sound = Leaf._send

    def send(self: Leaf, vc: int) -> None:
        able = [v for v, held in enumerate(self.held) if held and self.credit[v] > 0]
        sound(self, min([vc, *able]))

    patch.setattr(Leaf, "_send", send)


def start_anywhere(patch: pytest.MonkeyPatch) -> None:
    """A source starts in the lowest VC, not in that with most credits."""

    def best(self: Leaf, packet: Sending | None) -> int | None:
        vcs = packet.vcs if packet else ()
        return next((v for v in vcs if self.held[v] is None and self.credit[v] > 0), None)

    patch.setattr(Leaf, "_best", best)


def arbiters_survive_reset(patch: pytest.MonkeyPatch) -> None:
    """A reset forgets the VC arbiters.

    (Those of ports would not show: only one of those that contend gets a VC in a clock, so one of
    them is alone when it crosses.)
    """
    sound = Switch.reset

    def reset(self: Switch) -> None:
        old = getattr(self, "vc_arbiter", None)
        sound(self)
        self.vc_arbiter = old or self.vc_arbiter

    patch.setattr(Switch, "reset", reset)


def link_survives_reset(patch: pytest.MonkeyPatch) -> None:
    """A reset leaves credits on the links of leaves."""
    sound = Leaf.reset

    def reset(self: Leaf) -> None:
        old: Collection[int] = getattr(self, "back", ())
        sound(self)
        self.back = set(old)

    patch.setattr(Leaf, "reset", reset)


DENSE = {"vcs": 2, "depth": 3, "stages": 2}
PLANTS: dict[Plant, dict[str, object]] = {
    credit_late: {},
    vc_late: {},
    pointer_still: {},
    pointer_by_one: {},
    order_still: {"arbiter": "MATRIX"},
    idle_after_other_vc: {},
    room_ignored: {"routing": "ADAPTIVE"},
    free_vc_ignored: {"routing": "ADAPTIVE"},
    home_ignored: {},
    parent_thrice: {"routing": "RANDOM"},
    generator_stops: {"routing": "TWO"},
    draws_alike: {"routing": "RANDOM"},
    route_kept: {"routing": "ADAPTIVE", "stages": 3},
    ahead_forgotten: {"ahead": 1, "stages": 3},
    limit_ignored: {"classes": 2},
    turn_ignored: {"classes": 2},
    lowest_vc_first: {},
    start_anywhere: {},
    arbiters_survive_reset: {},
    link_survives_reset: {},
}


def case_of(more: dict[str, object]) -> Case:
    """Return a case in which much happens, with resets in the middle."""
    network = Network(tree=xgft.kary(2, 3), **(DENSE | more))  # type: ignore[arg-type]
    rng = np.random.default_rng(11)
    packets = traffic(rng, 8, 400, 150, 6)
    answer = Answer(3, 1) if more.get("classes") else None
    return Case(network, 5, answer, packets, [Burst(260, [31, 62, 97, 130, 160], None, True)])


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_fault_is_seen(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sound model differs nowhere from the compiled one, the faulty one somewhere."""
    case = case_of(PLANTS[plant])
    assert compare(case, Reference) is None
    plant(monkeypatch)
    found = compare(case, Reference)
    assert found is not None and found.expected != found.seen
