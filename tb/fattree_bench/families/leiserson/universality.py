"""Networks that a universal fat-tree of their volume simulates (Leiserson 1985, Theorem 10)."""

from dataclasses import asdict

from fattree_bench.families.experiment import Experiment
from fattree_bench.families.leiserson import elements
from fattree_bench.paths import ROOT
from fattree_models.universality.layout_files import read_layout
from fattree_models.universality.networks import NETWORKS
from fattree_models.universality.simulation import simulate
from fattree_models.universality.slopes import slope


def own(network: str) -> int:
    """The smallest fat-tree that has a leaf for every processor of the layout of a file."""
    return 1 << max(1, (read_layout(ROOT / network).processors - 1).bit_length())


def run(network: str, n: int) -> dict[str, float]:
    """Figures of a network, or of the layout of a file, of at most n processors."""
    if network == "elements":
        return elements.run(n)
    made = NETWORKS[network](n) if network in NETWORKS else read_layout(ROOT / network)
    found = simulate(made, n)
    derived = {name: getattr(found, name) for name in ("ratio", "array", "slowdown")}
    return asdict(found) | derived | {"raw": found.ticks / found.time}


EXPERIMENT = Experiment(
    networks=tuple(NETWORKS),
    problems={"elements": elements.TABLE},
    sizes=(16, 65536),
    own=own,
    run=run,
    columns={
        "side": ("side", ".0f"),
        "volume": ("v", ".0f"),
        "root": ("w", ".0f"),
        "hardware": ("fat-tree / v", ".0f"),
        "time": ("t", ".0f"),
        "theorem_5": ("Th. 5", ".2f"),
        "theorem_8": ("Th. 8", ".2f"),
        "corollary_9": ("Cor. 9", ".2f"),
        "load": ("load / t w'", ".2f"),
        "load_factor": ("lambda", ".2f"),
        "cycles": ("cycles", ".0f"),
        "ratio": ("lambda / t lg(n/v^(2/3))", ".2f"),
        "array": ("same, mesh", ".2f"),
        "slowdown": ("ticks / t lg^3 n", ".4f"),
    },
    grown={
        "ratio": "lambda / (t lg(n / v^(2/3)))",
        "array": "the same of a mesh of n processors",
        "raw": "ticks / t",
    },
    slope=slope,
    seconds=lambda n: 3 + n / 8000,
    note="Every edge carries a message each way. side: of the layout's cube; v: its "
    "volume, at which the fat-tree has w wires at the root; fat-tree / v: its own box, with 13 "
    "components a wire, by v; t: time in the network; Th. 5, 8, Cor. 9, load: shares of what is "
    "promised, at most 1; mesh: most messages of a link in place of lambda.",
)
