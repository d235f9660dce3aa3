"""Wormhole networks clock by clock, after `docs/wormhole.md`: flits, credits, VCs, routes, draws."""
