"""Universality (Leiserson 1985, Sections IV to VI): layouts, decomposition trees, simulations.

A network is laid out in unit cubes (`layout`, `networks`), its cube is cut in halves (`cuts`,
Theorem 5), the tree of boxes is balanced (`pearls`, `forests`, `balance`: Lemmas 6 and 7, Theorem
8), its leaves are identified with those of a fat-tree of the same volume (`volume`), and the
fat-tree delivers what the network does (`simulation`, Theorem 10).  So do others, to compare
(`hosts`); `boxes` and `elements` lay out fat-trees, hypercubes and meshes by the same constants.
"""
