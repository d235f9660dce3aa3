"""The testplan of a design: what it promises says what is to be tried, and how hard."""

from __future__ import annotations

from typing import Any

from fattree_bench.families.foreign import cover
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.families.foreign.scenarios import SCENARIOS
from fattree_bench.families.foreign.traffic import OWN

SEEDS = {"smoke": 1, "nightly": 3, "full": 10}
SMOKE = ("each_pair", "uniform", "permutations", "pauses", "reset", "values")

# Testpoint: goal, check, tests.  Those of a promise are there where it is given.
DELIVERY = (
    "Every packet arrives once, whole, at its leaf, whatever else is on its way.",
    "Nothing is lost, misdelivered, duplicated, corrupted or interleaved; the run ends.",
)


def _points(
    network: ForeignNetwork,
) -> dict[str, tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    """By name: goal, check, tests, cover groups."""
    said = network.design.said.promises
    load = ("uniform", "permutations", "hot_spot", "all_to_one", "bursts", "shortest", "longest")
    found = {
        "pairs": (
            "A packet goes from every input to every output.",
            f"{DELIVERY[1]} No rule of the link is broken.",
            ("each_pair", "directed"),
            (cover.PAIRS,),
        ),
        "delivery": (*DELIVERY, load, (cover.LENGTHS, cover.SOURCES, cover.OUTPUTS)),
        "link": (
            "Both sides may pause at any time, and the rules of the link hold.",
            "Adapters check each rule in every clock.",
            ("pauses", "stalls", "handshakes"),
            (cover.PAUSES,),
        ),
        "payload": ("Any word passes unchanged.", DELIVERY[1], ("payloads", "values"), ()),
    }
    promised = {
        "order": (
            bool(said.order),
            "Packets of a pair, in a channel if so promised, arrive as they were sent.",
            "Order of arrival by pair, or by pair and channel.",
            ("uniform", "bursts", "pauses", "stalls", "all_to_one"),
            (),
        ),
        "latency": (
            said.latency is not None,
            "A packet is not faster than promises.latency.least, and alone not slower than most.",
            "Clocks from creation to the last word.",
            ("each_pair", "uniform"),
            (),
        ),
        "fairness": (
            said.fairness is not None,
            "Each sender of a hot spot gets its share.",
            "Packets by sender while all of them have some.",
            ("all_to_one",),
            (),
        ),
        "throughput": (
            bool(said.accepts),
            "The design accepts what promises.accepts says.",
            "Accepted words per leaf and clock, measured.",
            ("accepted",),
            (),
        ),
        "drops": (
            said.drops is not None,
            "Packets may be dropped, whole, and are counted.",
            "The counter against what did not come.",
            ("uniform", "hot_spot", "all_to_one", "stalls"),
            (),
        ),
        "reset": (
            said.reset and bool(network.design.said.reset.name),
            "A reset takes away all that is inside, and nothing that comes later.",
            "Nothing arrives of packets that were on their way.",
            ("reset",),
            (cover.RESET,),
        ),
    }
    found |= {name: tuple(rest) for name, (given, *rest) in promised.items() if given}  # type: ignore[misc]
    if brought := tuple(name for name in network.brought if name not in OWN):
        found["own"] = ("What the user's scenarios try.", DELIVERY[1], brought, ())
    return found


def testplan(network: ForeignNetwork) -> dict[str, Any]:
    """The tables of a testplan: one configuration, a testpoint a promise."""
    sims = list(network.sims)
    tiers = {
        "smoke": {"sims": sims, "seeds": SEEDS["smoke"]},
        "nightly": {"sims": sims, "seeds": SEEDS["nightly"]},
        "full": {"sims": sims, "seeds": SEEDS["full"]},
    }
    known = {group.name for group in cover.groups(network)}
    points = {}
    for name, (goal, check, tests, groups) in _points(network).items():
        fit = [t for t in tests if t in network.brought or not SCENARIOS[t].unfit(network)]
        for tier, chosen in (("smoke", [t for t in fit if t in SMOKE or name == "own"]), ("", fit)):
            if not chosen:
                continue
            points[f"{name} (smoke)" if tier else name] = {
                "network": network.name,
                "source": network.design.path.name,
                "goal": goal,
                "stimulus": "; ".join(_summary(network, t) for t in chosen),
                "check": check,
                "tests": chosen,
                "tiers": ["smoke"] if tier else ["nightly", "full"],
                "coverage": [] if tier else [g for g in groups if g in known],
            }
    made = {"network": network.name, "variables": network.changed(), **tiers}
    return {"configurations": {network.design.name: made}, "testpoint": points}


def _summary(network: ForeignNetwork, test: str) -> str:
    found = network.brought.get(test) or SCENARIOS[test]
    return found.summary
