"""RUFT against the k-ary n-tree under D-mod-k with CLIMB=TOP, whose way down is one long link."""

from collections import Counter

import numpy as np

from fattree_models.ruft import routing as ruft
from fattree_models.xgft import kary, routes, walk


def differences(net):
    """Count by kind how the two differ over all pairs, self pairs included; empty if nowhere.

    ports, switches, tops: pairs that take another port up or at the top; that meet another switch
    on the way to the top; whose last switch is not the tree's top switch.  loads: links loaded
    otherwise than the tree's up link, or than its link down from the top.  down: links of the tree
    below these, loaded otherwise than the long link they collapse into.
    """
    tree, n, k = kary(net.k, net.n), net.n, net.k
    found = Counter()
    ours, up = np.zeros((2, n, net.width, k), dtype=np.int64)
    down = np.zeros((n, net.width, k), dtype=np.int64)  # of level l + 1; the top's are in `up`
    way_down = np.zeros((n, net.leaves), dtype=np.int64)  # links, flat, on the way to each leaf
    for src, dst in ruft.all_pairs(net):
        mine = ruft.routes(net, dst)
        way = ruft.walk(net, src, mine)
        hops = routes(tree, src, dst, "DMODK", "TOP").astype(np.int64)
        visited = walk(tree, src, hops)
        climb = hops[:, :n] - np.array([k] * (n - 1) + [0])  # up ports come after the k down ports
        found["ports"] += int((mine != climb).any(axis=1).sum())
        found["switches"] += int((way.switch != visited.node[:, :n]).any(axis=1).sum())
        found["tops"] += int((way.switch[:, -1] != visited.node[:, n - 1]).sum())
        for stage in range(n):
            np.add.at(ours[stage], (way.switch[:, stage], mine[:, stage]), 1)
            np.add.at(up[stage], (visited.node[:, stage], climb[:, stage]), 1)
            node, port = visited.node[:, 2 * n - 2 - stage], hops[:, 2 * n - 2 - stage]
            np.add.at(down[stage], (node, port), 1)
            way_down[stage, dst] = node * k + port
    long = ours[-1].reshape(-1)[way_down[-1]]
    below = (down[s].reshape(-1)[way_down[s]] != long for s in range(n - 1))
    found["loads"] = int((ours != up).sum())
    found["down"] = int(sum(each.sum() for each in below))
    return +found
