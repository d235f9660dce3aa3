"""RUFT, the reduced unidirectional fat-tree: what is expected of it, and how it is checked."""
