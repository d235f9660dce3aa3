"""Proofs: rules of blocks and whole networks, for all inputs and, where it says so, all times."""
