"""Numbers that checks of the models leave, and what measures must say of them."""

from fattree_bench.bench.claims import CORRECTED, FAILS, HOLDS, UNDECIDED
from fattree_bench.bench.result import Test

Case = tuple[str, list[Test], str, str]


def left(**numbers: float) -> Test:
    """A check by pytest and the numbers that it has left."""
    return Test("xgft", "file.py", {}, "pytest", 0, "case", True, recorded=numbers)


def cases(
    measure: str, right: dict[str, float], verdict: str, text: str, **turned: tuple[str, str, float]
) -> tuple[Case, ...]:
    """What is right, what turns it (verdict, name of a number, the number), and what is missing."""
    planted = [
        (measure, [left(**right), left(**{**right, name: value})], what, "")
        for what, name, value in turned.values()
    ]
    incomplete = [
        (measure, [left(**{k: v for k, v in right.items() if k != name})], UNDECIDED, "")
        for name in right
    ]
    return ((measure, [left(**right), left(**right)], verdict, text), *planted, *incomplete)


def pairs(value: float, *names: str) -> dict[str, float]:
    """The same number under several names, printed and counted."""
    return {name + end: value for name in names for end in ("", "_counted")}


KARY = pairs(64, "kary_nodes", "kary_switches", "kary_levels")
FTREE = pairs(16, "ftree_nodes", "ftree_switches", "ftree_levels")
MESH = {**pairs(64, "mesh_switches", "tree_bandwidth"), "mesh_bandwidth": 128}
MESH |= {"mesh_node_links": 128, "mesh_bandwidth_counted": 352}
LINKS = {"dimensions": 2, "mesh_links": 112, "tree_links": 64}
WAYS = {"side": 8, "mesh_way": 6.3, "tree_way": 2.8}
FLY = {"fly_switches": 12, "fly_tree_switches": 12, "fly_is_the_tree": 1}
LABELS = {"labels_printed": 18, "labels_corrected": 20, "labelled_switches": 20}
LEAVES = {"gft_leaves_printed": 4, "gft_leaves_corrected": 16, "gft_leaves_counted": 16}
BUILT = {"links_recursive": 24, "links_by_digits": 24, "links_in_both": 24}
CHOICE = {"pairs": 100, "pairs_apart": 95, "pairs_with_a_choice": 95, "pairs_of_one_root": 0}
USED = {"links": 256, "used_nearest": 0, "used_top": 256}
USED |= {"most_nearest": 60, "least_nearest": 48, "most_top": 63, "least_top": 63}
DRAWN = {"mean_least": 0.9, "mean_most": 1.1, "busiest_least": 3, "busiest_most": 6}
DIGITS = {"choices": 9, "choices_by_digit": 9, "neighbours": 6, "neighbours_apart": 6}
DIGITS |= {"tops": 8, "destinations": 8}
INPUTS = {"inputs_top": 4, "inputs_below_top": 1, "inputs_below_nearest": 4}
SPINES = {"paths_printed": 4, "paths": 4, "spines": 4, "spines_that_reach_all": 4}
EVEN = {"nodes": 16, "level_least": 16, "level_most": 16, "bisection": 8}
WIRES = {"growth_least": 2, "growth_most": 2, "wires_of_root": 128, "fixed_ports": 4, "lg": 6}
FASTER = {"faster_least": 8, "faster_most": 32, "alike_least": 8, "alike_most": 8}

GROWN = left(outputs_if_grown=3)


def topped(children: int = 2, kept: int = 56, after: int = 4) -> Test:
    """A tree of 8 leaves without its top level."""
    loads = {"busiest_at_top": 4, "busiest_without_top": after}
    return left(pairs=56, pairs_without_top=kept, children_of_top=children, **loads)


CASES: tuple[Case, ...] = (
    *cases(
        "kary_counts",
        KARY,
        HOLDS,
        "as counted: nodes 2 of 2, switches 2 of 2, levels 2 of 2",
        nodes=(FAILS, "kary_nodes", 63),
        switches=(FAILS, "kary_switches", 48),
        levels=(FAILS, "kary_levels", 63),
    ),
    *cases(
        "bandwidths",
        MESH,
        CORRECTED,
        "as printed: as counted: switches 2 of 2, tree 2 of 2, mesh 0 of 2; as corrected: as "
        "counted: switches 2 of 2, tree 2 of 2, nodes' links 2 of 2",
        mesh=(FAILS, "mesh_switches", 63),
        nodes=(FAILS, "mesh_node_links", 64),
        tree=(FAILS, "tree_bandwidth", 65),
    ),
    ("bandwidths", [left(**{**MESH, "mesh_bandwidth": 352})], HOLDS, "mesh 1 of 1"),
    *cases("times_the_bandwidth", LINKS, FAILS, "tree over mesh: 0.57 for d = 2, 0.57"),
    ("times_the_bandwidth", [left(**{**LINKS, "tree_links": 224})], HOLDS, "2.00 for d = 2"),
    ("times_the_bandwidth", [left(**{**LINKS, "tree_links": 223})], FAILS, "1.99 for d = 2"),
    *cases(
        "shorter_ways",
        WAYS,
        HOLDS,
        "2 of 2 trees have shorter ways",
        longer=(FAILS, "tree_way", 6.3),
    ),
    (
        "shorter_ways",
        [left(**WAYS), left(side=2, mesh_way=2.7, tree_way=3.9)],
        CORRECTED,
        "as printed: 1 of 2 trees have shorter ways; as corrected: 1 of 1 with more than two",
    ),
    *cases(
        "folded_fly",
        FLY,
        HOLDS,
        "2 of 2 are the same graph",
        graph=(FAILS, "fly_is_the_tree", 0),
        count=(FAILS, "fly_switches", 13),
    ),
    *cases(
        "ftree_counts",
        FTREE,
        HOLDS,
        "as counted: nodes 2 of 2, switches 2 of 2, levels 2 of 2",
        nodes=(FAILS, "ftree_nodes", 15),
        switches=(FAILS, "ftree_switches", 20),
        levels=(FAILS, "ftree_levels_counted", 4),
    ),
    *cases(
        "switch_labels",
        LABELS,
        CORRECTED,
        "as printed: as counted: labels 0 of 2; as corrected: as counted: labels 2 of 2",
        exponent=(FAILS, "labels_corrected", 18),
    ),
    ("switch_labels", [left(**{**LABELS, "labels_printed": 20})], HOLDS, "labels 1 of 1"),
    *cases(
        "gft_leaves",
        LEAVES,
        CORRECTED,
        "as printed: as counted: leaves 0 of 2; as corrected: as counted: leaves 2 of 2",
        power=(FAILS, "gft_leaves_corrected", 8),
    ),
    ("gft_leaves", [left(**{**LEAVES, "gft_leaves_counted": 4})], HOLDS, "leaves 1 of 1"),
    *cases(
        "recursive",
        BUILT,
        HOLDS,
        "as counted: links 2 of 2, shared 2 of 2",
        count=(FAILS, "links_recursive", 25),
        other=(FAILS, "links_in_both", 23),
    ),
    *cases(
        "path_diversity",
        CHOICE,
        HOLDS,
        "190 of 190 pairs at different switches, of 200; 0 in trees with one parent",
        few=(FAILS, "pairs_with_a_choice", 94),
        always=(FAILS, "pairs_of_one_root", 1),
    ),
    *cases(
        "shortest_ways",
        USED,
        HOLDS,
        "neighbours use 0 of 512 links, 512 by the top; all pairs: busiest over least 1.25, 1.00 "
        "by the top",
        uneven=(FAILS, "least_top", 62),
    ),
    ("shortest_ways", [left(**{**USED, "used_nearest": 256})], FAILS, "use 256 of 256"),
    ("shortest_ways", [left(**{**USED, "least_nearest": 60})], FAILS, "least 1.00, 1.00"),
    *cases(
        "valiant",
        DRAWN,
        HOLDS,
        "packets on a link 0.90 … 1.10 in the mean of all draws, 3 … 6 on the busiest of each",
        low=(FAILS, "mean_least", 0.5),
        high=(FAILS, "mean_most", 1.5),
        flat=(FAILS, "busiest_least", 1),
    ),
    *cases(
        "digits_choose",
        DIGITS,
        HOLDS,
        "as counted: digits 2 of 2, neighbours 2 of 2, tops 2 of 2",
        digit=(FAILS, "choices_by_digit", 8),
        neighbours=(FAILS, "neighbours_apart", 5),
        tops=(FAILS, "tops", 9),
    ),
    *cases(
        "no_contention_down",
        INPUTS,
        CORRECTED,
        "as printed: up to 4 inputs for a port down; as corrected: 1 below the top; 4 if",
        below=(FAILS, "inputs_below_top", 2),
    ),
    ("no_contention_down", [left(**{**INPUTS, "inputs_top": 1})], HOLDS, "up to 1 inputs"),
    ("no_contention_down", [left(**{**INPUTS, "inputs_below_nearest": 1})], FAILS, "1 if packets"),
    *cases(
        "spines",
        SPINES,
        HOLDS,
        "as counted: ways 2 of 2, spines 2 of 2",
        ways=(FAILS, "paths", 5),
        reach=(FAILS, "spines_that_reach_all", 3),
    ),
    *cases(
        "constant_bisection",
        EVEN,
        HOLDS,
        "2 of 2 trees: M links at every level, M/2 between halves",
        neck=(FAILS, "level_least", 8),
        wide=(FAILS, "level_most", 32),
        half=(FAILS, "bisection", 4),
    ),
    (
        "top_left_out",
        [topped(), topped(4, 40), GROWN],
        CORRECTED,
        "as printed: 96 of 112 routes stay, links as busy, in 2 trees; as corrected: 56 of 56 "
        "routes stay, links as busy, in 1 tree of two halves; grown: 3 outputs",
    ),
    ("top_left_out", [topped(), topped(4), GROWN], HOLDS, "112 of 112 routes stay, links as"),
    ("top_left_out", [topped(kept=55), GROWN], FAILS, "55 of 56 routes stay"),
    ("top_left_out", [topped(after=5), GROWN], FAILS, "links not as busy"),
    ("top_left_out", [topped(), topped(4, 40), left(outputs_if_grown=1)], FAILS, "1 outputs"),
    ("top_left_out", [topped(4), GROWN], UNDECIDED, ""),
    ("top_left_out", [topped()], UNDECIDED, ""),
    *cases(
        "one_root",
        WIRES,
        HOLDS,
        "times 2 … 2 a level, 128 wires at the root of 2^6 leaves; 4 ports in a 2-ary tree",
        less=(FAILS, "growth_least", 1.6),
        more=(FAILS, "growth_most", 2.5),
        ports=(FAILS, "fixed_ports", 8),
    ),
    *cases(
        "links_up_faster",
        FASTER,
        CORRECTED,
        "as printed: the capacity of a level grows up to 4 times; as corrected: links alike: 1",
        alike=(FAILS, "alike_most", 16),
    ),
    ("links_up_faster", [left(**{**FASTER, "faster_most": 8})], HOLDS, "grows up to 1 times"),
)
