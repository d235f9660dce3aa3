"""The tests, one registry a network."""

from tb.errors import UserError
from tb.scenarios.base import Registry, Scenario
from tb.scenarios.lbbvn import SCENARIOS as LBBVN
from tb.scenarios.lbbvn_switch import SCENARIOS as LBBVN_SWITCH
from tb.scenarios.leiserson import SCENARIOS as LEISERSON
from tb.scenarios.xgft import SCENARIOS as XGFT

SCENARIOS: dict[str, Registry] = {
    "lbbvn": LBBVN,
    "lbbvn_switch": LBBVN_SWITCH,
    "leiserson": LEISERSON,
    **dict.fromkeys(("xgft", "kary", "gft", "ftree_mn", "benes"), XGFT),
}

__all__ = ["SCENARIOS", "Scenario", "select"]


def select(network: str, pattern: str) -> list[Scenario]:
    """Scenarios of a network by name or glob, comma-separated; UserError if none match."""
    from fnmatch import fnmatchcase

    known = SCENARIOS[network]
    chosen: list[Scenario] = []
    for part in pattern.split(","):
        found = [s for s in known.values() if fnmatchcase(s.name, part)]
        if not found:
            raise UserError(f"TEST={part}: no such test of {network}; there is {', '.join(known)}")
        chosen += [s for s in found if s not in chosen]
    return chosen
