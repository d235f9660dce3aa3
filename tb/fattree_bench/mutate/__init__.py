"""Mutation coverage: faults injected into a network's netlist, and which the bench finds."""
