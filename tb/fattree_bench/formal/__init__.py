"""Proofs of rules of blocks and whole networks, for all inputs and, where stated, for all time."""
