"""The one result model; everything that is printed or written is a rendering of it."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class ScenarioResult:
    """What came of one scenario in one simulation.

    Attributes
    ----------
    faults, examples : how often each kind of fault was seen, and its first occurrences.
    unit, steps : what time was counted in ("slots", "delivery cycles"), and how many there were.
    noun : what was sent ("packets", "messages").
    ordered : whether those of a source and destination are promised to arrive in order.
    overtaken : by a later one of their source, destination and class, where no order is promised.
    level : up to which the checks went: "L0 delivery", "L1 promises", "L2 path", "L3 exact".
    promises : what the network promises, and was checked.
    losses : predicted and confirmed losses by cause, as in "in conflicts".
    notes : lines to be printed with the result.
    levels : rows of the table of channel levels, column title to value.
    deliveries : message sets that were delivered: "family", "how" (scheduler or discipline),
        "offline", "messages", "load_factor", "cycles", "bound" (of a theorem, or None).
    measurements : figures of runs that were measured: "family", "load", those of
        traffic.Measurement by name, "stable", "saturation", and more that some networks have.
    permutations : (name, packets on the busiest link) of permutations of which each leaf sent one.
    coverage : bins hit and bins reachable by cover group.
    """

    scenario: str
    faults: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    unit: str = "slots"
    steps: int = 0
    noun: str = "packets"
    ordered: bool = True
    overtaken: int = 0
    level: str = ""
    promises: list[str] = field(default_factory=list)
    sent: int = 0
    delivered: int = 0
    losses: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    levels: list[dict[str, Any]] = field(default_factory=list)
    deliveries: list[dict[str, Any]] = field(default_factory=list)
    measurements: list[dict[str, Any]] = field(default_factory=list)
    permutations: list[tuple[str, int]] = field(default_factory=list)
    coverage: dict[str, tuple[int, int]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        return not self.faults and self.sent > 0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "ScenarioResult":
        result = cls(**data)
        result.coverage = {name: (hit, bins) for name, (hit, bins) in result.coverage.items()}
        return result
