"""A run as a page plays it."""

from fattree_bench.families.wormhole_show import SHOW

__all__ = ["SHOW"]
