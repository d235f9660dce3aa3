"""Networks that a universal fat-tree of their volume simulates (Leiserson 1985, Theorem 10)."""

from dataclasses import asdict

from fattree_bench.families.experiment import Experiment
from fattree_bench.paths import ROOT
from fattree_models.universality.elements import times, volumes
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
        return {"n": float(n)} | {
            f"{name}_{unit}": float(figure)
            for unit, own in (("volume", volumes(n.bit_length() - 1)), ("time", times(n)))
            for name, figure in own.items()
        }
    made = NETWORKS.get(network)
    found = simulate(made(n) if made else read_layout(ROOT / network), n)
    derived = ("ratio", "array", "slowdown")
    raw = {"raw": found.ticks / found.time}
    return asdict(found) | {name: getattr(found, name) for name in derived} | raw


EXPERIMENT = Experiment(
    networks=tuple(NETWORKS),
    problems={
        "elements": (
            "Finite elements",
            {
                "messages_time": ("messages", ".0f"),
                "fat_tree_volume": ("fat-tree: volume", ".2e"),
                "fat_tree_time": ("cycles", ".0f"),
                "hypercube_volume": ("hypercube: volume", ".2e"),
                "hypercube_time": ("steps", ".0f"),
                "mesh_volume": ("mesh: volume", ".2e"),
                "mesh_time": ("steps ", ".0f"),
            },
            "A step of a planar triangulation, 16 points a processor. Boxes by the same constants; "
            "the fat-tree has n^(2/3) wires at the root. A delivery cycle takes messages all the "
            "way, in 2 lg n - 1 ticks and their data; a step takes them across a link.",
        )
    },
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
