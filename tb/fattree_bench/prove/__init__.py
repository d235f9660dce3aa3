"""Proofs of routers that users describe."""
