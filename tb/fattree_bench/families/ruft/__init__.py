"""Reduced unidirectional fat-tree (Gómez et al. 2008)."""

SHARED = "wormhole"
