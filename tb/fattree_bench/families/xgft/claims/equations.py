"""Measures of the survey's equations, by what checks have counted on graphs."""

from collections.abc import Sequence

from fattree_bench.bench.claims import NOTHING, Figure, Measured, named, recorded
from fattree_bench.bench.result import Test
from fattree_bench.families.xgft.claims.shared import both, equal

HYPERCUBE = 2  # nodes a side: a mesh that is one has shorter ways than the tree


def kary_counts(tests: Sequence[Test]) -> Measured:
    """k^n nodes, n k^(n-1) switches, n + 1 levels."""
    return Measured(
        equal(
            tests,
            nodes=("kary_nodes", "kary_nodes_counted"),
            switches=("kary_switches", "kary_switches_counted"),
            levels=("kary_levels", "kary_levels_counted"),
        )
    )


def bandwidths(tests: Sequence[Test]) -> Measured:
    """Total bandwidth of mesh and tree; as corrected, Eq. (2) is that of the mesh's nodes."""
    same = {
        "switches": ("mesh_switches", "mesh_switches_counted"),
        "tree": ("tree_bandwidth", "tree_bandwidth_counted"),
    }
    printed = equal(tests, **same, mesh=("mesh_bandwidth", "mesh_bandwidth_counted"))
    nodes = equal(tests, **same, **{"nodes' links": ("mesh_bandwidth", "mesh_node_links")})
    return both(printed, nodes)


def times_the_bandwidth(tests: Sequence[Test]) -> Measured:
    """The tree has d times the bandwidth of the mesh, links between switches against the same."""
    found = recorded(tests, "dimensions", "mesh_links", "tree_links")
    if not found:
        return NOTHING
    ratios = [(int(d), tree / mesh) for d, mesh, tree in found]
    told = ", ".join(f"{ratio:.2f} for d = {d}" for d, ratio in ratios)
    return Measured(Figure(f"tree over mesh: {told}", all(r >= d for d, r in ratios)))


def shorter_ways(tests: Sequence[Test]) -> Measured:
    """Packets pass fewer switches in the tree than in the mesh; corrected: but in a hypercube."""
    found = recorded(tests, "side", "mesh_way", "tree_way")
    if not found:
        return NOTHING
    shorter = [(side, tree < mesh) for side, mesh, tree in found]
    wide = [less for side, less in shorter if side > HYPERCUBE]
    return Measured(
        Figure(
            f"{sum(less for _, less in shorter)} of {len(shorter)} trees have shorter ways",
            all(less for _, less in shorter),
        ),
        Figure(f"{sum(wide)} of {len(wide)} with more than two nodes a side", all(wide)),
    )


def folded_fly(tests: Sequence[Test]) -> Measured:
    """Switches and links are those of a k-ary n-fly."""
    found = recorded(tests, "fly_switches", "fly_tree_switches", "fly_is_the_tree")
    if not found:
        return NOTHING
    same = sum(fly == tree and bool(is_it) for fly, tree, is_it in found)
    return Measured(Figure(f"{same} of {len(found)} are the same graph", same == len(found)))


def ftree_counts(tests: Sequence[Test]) -> Measured:
    """FT(m, n): 2 (m/2)^n nodes, (2n - 1) (m/2)^(n-1) switches, n + 1 levels."""
    return Measured(
        equal(
            tests,
            nodes=("ftree_nodes", "ftree_nodes_counted"),
            switches=("ftree_switches", "ftree_switches_counted"),
            levels=("ftree_levels", "ftree_levels_counted"),
        )
    )


def switch_labels(tests: Sequence[Test]) -> Measured:
    """Eq. (7) names each switch once; as corrected, with exponents n - 1 and n - 2."""
    printed = equal(tests, labels=("labels_printed", "labelled_switches"))
    right = equal(tests, labels=("labels_corrected", "labelled_switches"))
    return both(printed, right)


def gft_leaves(tests: Sequence[Test]) -> Measured:
    """GFT(h, m, w) has m leaves; as corrected m^h."""
    printed = equal(tests, leaves=("gft_leaves_printed", "gft_leaves_counted"))
    right = equal(tests, leaves=("gft_leaves_corrected", "gft_leaves_counted"))
    return both(printed, right)


def recursive(tests: Sequence[Test]) -> Measured:
    """The tree made of copies of smaller ones has the links of that made by digits."""
    return Measured(
        equal(
            tests,
            links=("links_recursive", "links_by_digits"),
            shared=("links_in_both", "links_by_digits"),
        )
    )


MEASURES = named(
    kary_counts,
    bandwidths,
    times_the_bandwidth,
    shorter_ways,
    folded_fly,
    ftree_counts,
    switch_labels,
    gft_leaves,
    recursive,
)
