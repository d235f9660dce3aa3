"""Faults in what the plain model remembers of packets before: each is seen on a link."""

from collections.abc import Callable

import pytest

from fattree_models.wormhole.plain.network import Reference
from fattree_models.wormhole.plain.spread import Before
from tests.models.wormhole.cases import compare
from tests.models.wormhole.test_faults import case_of

Plant = Callable[[pytest.MonkeyPatch], None]


def salt_ignored(patch: pytest.MonkeyPatch) -> None:
    """All switches hash alike."""
    sound = Before.parent

    def parent(self: Before, i: int, source: int, leaf: int) -> int | None:
        self.salt = 0
        return sound(self, i, source, leaf)

    patch.setattr(Before, "parent", parent)


def source_alone(patch: pytest.MonkeyPatch) -> None:
    """A flow is what a source sends, wherever it goes."""
    sound = Before.parent
    patch.setattr(Before, "parent", lambda self, i, source, leaf: sound(self, i, source, 0))


def gap_ignored(patch: pytest.MonkeyPatch) -> None:
    """A flow keeps its parent for ever."""
    sound = Before.clock

    def clock(self: Before, granted: dict) -> None:  # type: ignore[type-arg]
        sound(self, granted)
        self.flows = {flow: (parent, self.now) for flow, (parent, _) in self.flows.items()}

    patch.setattr(Before, "clock", clock)


def grants_ignored(patch: pytest.MonkeyPatch) -> None:
    """No grant is noted."""
    patch.setattr(Before, "_note", lambda self, one, parent, head: None)


def out_ignored(patch: pytest.MonkeyPatch) -> None:
    """Of parents with room the lowest is taken, whatever is out."""
    patch.setattr(Before, "_away", lambda self, parent: 0)


PLANTS: dict[Plant, tuple[str, ...]] = {
    salt_ignored: ("ECMP", "FLOWLET"),
    source_alone: ("ECMP",),
    gap_ignored: ("FLOWLET",),
    grants_ignored: ("RR", "FLOWLET", "DRILL"),
    out_ignored: ("DRILL",),
}


@pytest.mark.parametrize(
    ("plant", "routing"), [(plant, routing) for plant, those in PLANTS.items() for routing in those]
)
def test_fault_is_seen(plant: Plant, routing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_of({"routing": routing, "gap": 6, "entries": 5})
    assert compare(case, Reference) is None
    plant(monkeypatch)
    found = compare(case, Reference)
    assert found is not None and found.expected != found.seen
