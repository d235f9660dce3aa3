"""What a failing run comes to, in numbers: its first fault, what faulty packets share."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Parcel:
    """A packet, as a fault names it.

    Attributes
    ----------
    source, destination : leaves; -1: unknown.
    number : of the slot or delivery cycle in which it was sent, or its place in a list.
    of : what `number` counts: "slot", "cycle", "number".
    """

    source: int
    destination: int
    number: int
    of: str


@dataclass(frozen=True)
class Place:
    """Where a thing is: what it is called, and its number there, as in "leaf", 1."""

    kind: str
    number: int | None = None


@dataclass(frozen=True)
class Sighting:
    """One fault: what kind, when, where, what was expected, what came instead.

    Attributes
    ----------
    item, family : number of the item from the scenario's start, and what traffic it is of.
    time, unit : "clock", "slot" or "cycle", counted as the example counts; None: unknown.
    expected, got : packets; None: none, or none that anybody knows.
    example : the same in words, with all that has no number here.
    since : when what never came was sent, in the same unit; None: unknown, or it came.
    missing : what of it never came, as in "1 of its 10 flits"; "": all.
    step : time of the simulation in its steps, for waves; None: unknown.
    """

    kind: str
    example: str
    item: int = 0
    family: str = ""
    time: int | None = None
    unit: str = "clock"
    place: Place | None = None
    expected: Parcel | None = None
    got: Parcel | None = None
    since: int | None = None
    missing: str = ""
    step: int | None = None


@dataclass(frozen=True)
class Stop:
    """Where a scenario was when its simulation ended before its time.

    Attributes
    ----------
    family, first : of the traffic that was played, and the time of the burst's start: what came
        from then on was not judged; "": no burst of traffic.
    unit : of `first`, as in Sighting.
    began, ended : steps of the simulation, of the first clock of that burst and of the end.
    pace : steps that a unit takes; 0: unknown.
    """

    family: str = ""
    first: int = 0
    unit: str = "clock"
    began: int = 0
    ended: int = 0
    pace: int = 0

    def time(self, step: int) -> int | None:
        """A step of the simulation in the unit; None: unknown."""
        if not self.pace or step < self.began:
            return None
        return self.first + (step - self.began) // self.pace


@dataclass(frozen=True)
class Trait:
    """What faulty packets have in common.

    Attributes
    ----------
    says : a phrase with a place for the value, as in "turned at level {}".
    value : of it; `words` tell it instead of the number, if there are any.
    faulty, of : faulty packets that have it, of how many.
    sound, among : sound ones that have it all the same, of how many.
    """

    says: str
    value: int
    faulty: int
    of: int
    sound: int
    among: int
    words: tuple[str, ...] = ()


@dataclass
class Failure:
    """Of a scenario that failed.

    Attributes
    ----------
    first : the earliest fault.
    traits : what the packets of `kind` share ("" all faulty ones), the most telling first.
    faulty, sound : packets that were compared for that.
    sources, destinations : (leaf, faulty packets), the most first, as many as are kept.
    packets : file with a line a fault, next to the log; "" if there is none.
    """

    first: Sighting | None = None
    kind: str = ""
    traits: list[Trait] = field(default_factory=list)
    faulty: int = 0
    sound: int = 0
    sources: list[tuple[int, int]] = field(default_factory=list)
    destinations: list[tuple[int, int]] = field(default_factory=list)
    packets: str = ""
