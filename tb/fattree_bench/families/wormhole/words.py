"""What its figures say, in sentences for a person."""

from fattree_bench.bench.wormhole.words import told

__all__ = ["told"]
