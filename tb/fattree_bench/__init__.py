"""Verification environment for fat-tree interconnects: pyuvm on cocotb, frame by frame.

What a user's own Python imports stands here; it is loaded when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fattree_bench.api import Design, ScenarioFailed, run, run_scenario, scenario
    from fattree_bench.bench.links.flit.packets import PacketSet
    from fattree_bench.errors import UserError
    from fattree_models.traffic import Packets

HOMES = {
    **dict.fromkeys(
        ("Design", "ScenarioFailed", "run", "run_scenario", "scenario"), "fattree_bench.api"
    ),
    "PacketSet": "fattree_bench.bench.links.flit.packets",
    "UserError": "fattree_bench.errors",
    "Packets": "fattree_models.traffic",
}

__all__ = [
    "Design",
    "PacketSet",
    "Packets",
    "ScenarioFailed",
    "UserError",
    "run",
    "run_scenario",
    "scenario",
]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(HOMES[name]), name)
