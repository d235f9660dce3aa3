"""What must be tried: what all wormhole networks have."""

from fattree_bench.bench.wormhole.cover import groups

__all__ = ["groups"]
