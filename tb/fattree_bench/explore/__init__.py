"""Sweeps of the load."""
