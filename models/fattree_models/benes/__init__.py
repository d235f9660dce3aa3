"""The fat-tree Benes network of IBM Zurich's slides, unfolded: its columns and its routing."""

from fattree_models.benes.unfolded import benes_tables, fold, fold_port, routing_lookup

__all__ = ["benes_tables", "fold", "fold_port", "routing_lookup"]
