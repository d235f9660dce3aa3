"""Wormhole networks as plain objects, after `docs/wormhole.md`: slow, to be read next to it.

The compiled network was not made from these, nor these from it: tests compare them.  Networks whose
cables break (`fattree_models.wormhole.faulty`) are made of them.
"""
