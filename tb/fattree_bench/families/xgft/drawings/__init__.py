"""The papers' figures of packet-switched fat-trees, from the models."""

from functools import partial

from fattree_bench.families.drawing import Drawing
from fattree_bench.families.xgft.drawings import modified, reach, trees, turnback, unfolded
from fattree_bench.report.tree_svg import nonblocking, tree_svg
from fattree_models.xgft import Xgft, benes, ftree_mn, kary

ALL = "colours tell the packets on a link if every leaf sends one to every other by D-mod-k"
SAME = "colours tell the packets on a link if leaf s sends to leaf N - 1 - s by D-mod-k"
OX36, OX60 = Xgft((3, 12), (1, 3)), Xgft((3, 2, 10), (1, 3, 2))
X36, X60 = Xgft((6, 6), (1, 4)), Xgft((4, 3, 5), (1, 2, 2))

SURVEY = (
    Drawing(
        "survey-1",
        "S",
        "Fig. 1 (a)",
        "a fat-tree as proposed by Leiserson: links get fatter on the way up.",
        partial(tree_svg, nonblocking(3), title="Fat-tree as proposed by Leiserson, 8 leaves"),
    ),
    Drawing(
        "survey-2",
        "S",
        "Fig. 2",
        f"the 2-ary 3-tree of 8 leaves and 12 switches; {ALL}.",
        partial(trees.all_pairs, kary(2, 3), "2-ary 3-tree"),
    ),
    Drawing(
        "survey-3",
        "S",
        "Fig. 3",
        "balanced (D-mod-k) routing in the 2-ary 3-tree, with the leaves that each port leads to, "
        "and the routes from any source to leaf 7.",
        partial(reach.balanced, "2-ary 3-tree, balanced routing", 7, "NCA"),
    ),
    Drawing(
        "survey-4",
        "S",
        "Fig. 4",
        "the same, non-minimal: every packet climbs to the top (`CLIMB=TOP`), and each port down "
        "leads to one leaf.",
        partial(reach.balanced, "2-ary 3-tree, non-minimal balanced routing", 7, "TOP"),
    ),
    Drawing(
        "survey-5",
        "S",
        "Fig. 5",
        "the RUFT made from the 2-ary 3-tree: the way up of Fig. 4, and long links in place of the "
        "way down.",
        partial(reach.reduced, "RUFT from the 2-ary 3-tree", 7),
    ),
    Drawing(
        "survey-6a",
        "S",
        "Fig. 6 (a)",
        f"XGFT(1; 4; 1); {ALL}.",
        partial(trees.all_pairs, Xgft((4,), (1,)), "XGFT(1; 4; 1)", 320),
    ),
    Drawing(
        "survey-6b",
        "S",
        "Fig. 6 (b)",
        f"XGFT(2; 4, 4; 1, 2); {ALL}.",
        partial(trees.all_pairs, Xgft((4, 4), (1, 2)), "XGFT(2; 4, 4; 1, 2)"),
    ),
    Drawing(
        "survey-6c",
        "S",
        "Fig. 6 (c)",
        f"XGFT(3; 4, 4, 3; 1, 2, 2); {ALL}.",
        partial(trees.all_pairs, Xgft((4, 4, 3), (1, 2, 2)), "XGFT(3; 4, 4, 3; 1, 2, 2)", 912),
    ),
    Drawing(
        "survey-7",
        "S",
        "Fig. 7",
        f"the 4-port 3-tree FT(4, 3) of 16 nodes and 20 switches; {ALL}.",
        partial(trees.all_pairs, ftree_mn(4, 3), "4-port 3-tree"),
    ),
    Drawing(
        "survey-8",
        "S",
        "Fig. 8",
        f"the tree of a SPIN of 16 terminals and 8 routers, a 4-ary 2-tree; {ALL}, which is what "
        "adaptive routing comes to on the average.",
        partial(trees.all_pairs, kary(4, 2), "SPIN with 16 terminals"),
    ),
    Drawing(
        "survey-9-regular",
        "S",
        "Fig. 9, regular MIN fat-tree",
        "8 clients (C), 4 columns of routers (R) and their reach; colours tell the packets on a "
        "link if every client sends one to every other.",
        partial(modified.regular, "Regular MIN fat-tree of 8 clients"),
    ),
    Drawing(
        "survey-9-modified",
        "S",
        "Fig. 9, modified fat-tree",
        "as many lanes down as it takes to be without contention: 1, 3 and 7 from the top (the "
        "survey doubles, 1, 2 and 4, which is too few); the lower a lane, the less it is used.",
        partial(modified.modified, "Modified fat-tree of 8 clients"),
    ),
)
OXGFT = (
    Drawing(
        "oxgft-1a",
        "O",
        "Fig. 1 (a)",
        "the 4-level fat-tree: channels get wider towards the root.",
        partial(tree_svg, nonblocking(4), title="4-level fat-tree"),
    ),
    Drawing(
        "oxgft-1b",
        "O",
        "Fig. 1 (b)",
        f"the binary 4-tree, read as the 2-ary 4-tree; {ALL}.",
        partial(trees.all_pairs, kary(2, 4), "2-ary 4-tree"),
    ),
    Drawing(
        "oxgft-1c",
        "O",
        "Fig. 1 (c)",
        f"the k-ary n-tree with k = 3 and n = 3; {ALL}.",
        partial(trees.all_pairs, kary(3, 3), "3-ary 3-tree"),
    ),
    Drawing(
        "oxgft-2a",
        "O",
        "Fig. 2 (a)",
        f"XGFT(2; 6, 6; 4, 0) of 36 processors, in our notation (2; 6, 6; 1, 4); {SAME}.",
        partial(trees.complement, X36, "XGFT with 36 processors", 792, 3),
    ),
    Drawing(
        "oxgft-2b",
        "O",
        "Fig. 2 (b)",
        "XGFT(3; 4, 3, 5; 2, 2, 2) of 60 processors, in our notation (3; 4, 3, 5; 1, 2, 2) with a "
        f"ring of links between the roots; {SAME}.",
        partial(trees.complement, X60, "XGFT with 60 processors", 840, 3, 2),
    ),
    Drawing(
        "oxgft-5a",
        "O",
        "Fig. 5 (a)",
        f"the optimum for 36 processors, XGFT(2; 3, 12; 1, 3); {SAME}.",
        partial(trees.complement, OX36, "OXGFT with 36 processors", 792, 3),
    ),
    Drawing(
        "oxgft-5b",
        "O",
        "Fig. 5 (b)",
        f"the optimum for 60 processors, XGFT(3; 3, 2, 10; 1, 3, 2); {SAME}.",
        partial(trees.complement, OX60, "OXGFT with 60 processors", 840, 3),
    ),
    Drawing(
        "turnback-tb",
        "O",
        "No figure (TB, Section 1)",
        "turn-back nodes in a 2-ary 3-tree, one turn-back channel each; colours tell the packets "
        "on a channel if every leaf sends one to every other and all choices are equally frequent.",
        partial(turnback.shared, "TB, one turn-back channel a node"),
    ),
    Drawing(
        "turnback-tbwp",
        "O",
        "No figure (TBWP, Section 1)",
        "all channels that a packet from leaf 0 to leaf 1 may take if turn-back channels are taken "
        "and it may go from root to root once.",
        partial(turnback.allowed, "TBWP, from leaf 0 to leaf 1", 0, 1),
    ),
    Drawing(
        "turnback-circle",
        "O",
        "No figure (TBWP, Section 1)",
        "the channels that can wait for each other in a circle if a packet may go from root to "
        "root any number of times.",
        partial(turnback.circle, "TBWP with any number of lateral hops"),
    ),
)
SLIDES = (
    Drawing(
        "slides-origin",
        "F",
        "The origin of the term",
        "constant bisectional bandwidth by ever fatter links: the capacity doubles at each level.",
        partial(tree_svg, nonblocking(3), title="8-leaf fat tree, constant bisection"),
    ),
    Drawing(
        "slides-transmogrification",
        "F",
        "Transmogrification",
        f"the same from 4-port switches, and the top level with all ports down; {ALL}.",
        partial(trees.all_pairs, ftree_mn(4, 2), "8-leaf fat tree of 4-port switches", 480),
    ),
    Drawing(
        "slides-benes",
        "F",
        "Fat tree Benes network",
        "N = 4 ports and L = 3 levels, unfolded, with its shuffles; colours tell the packets on a "
        "link if every node sends one to every other by the slides' routing.",
        partial(unfolded.stages, "Fat tree Benes network, N = 4, L = 3", 4, 3),
    ),
    Drawing(
        "slides-fat",
        "F",
        "Fat vs. spanning trees, fat",
        f"the same network folded; {SAME}.",
        partial(trees.complement, benes(4, 3), "Fat tree of 16 nodes", 640, 4),
    ),
    Drawing(
        "slides-spanning",
        "F",
        "Fat vs. spanning trees, spanning",
        f"a spanning tree of the same nodes, with one parent for each switch; {SAME}.",
        partial(
            trees.complement,
            Xgft((2, 2, 4), (1, 1, 1)),
            "Spanning tree of 16 nodes",
            640,
            4,
        ),
    ),
)
DRAWINGS = (*SURVEY, *OXGFT, *SLIDES)
