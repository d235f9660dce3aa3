"""The one result model; everything that is printed or written is a rendering of it."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class ScenarioResult:
    """What came of one scenario in one simulation."""

    scenario: str
    faults: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    slots: int = 0
    sent: int = 0
    delivered: int = 0
    lost: int = 0
    unscheduled: int = 0
    discarded: int = 0
    levels: list[dict[str, Any]] = field(default_factory=list)
    port_conflicts: int = 0
    coverage: dict[str, tuple[int, int]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        return not self.faults and self.sent > 0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "ScenarioResult":
        return cls(**data)
