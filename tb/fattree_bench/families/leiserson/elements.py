"""A finite-element problem on a fat-tree, a hypercube and a mesh (Leiserson 1985, Section I)."""

from fattree_models.universality.elements import times, volumes


def run(n: int) -> dict[str, float]:
    """Volumes and times of the three, of n processors."""
    return {"n": float(n)} | {
        f"{name}_{unit}": float(figure)
        for unit, own in (("volume", volumes(n.bit_length() - 1)), ("time", times(n)))
        for name, figure in own.items()
    }


TABLE = (
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
