"""Mutation coverage: faults put into a network's netlist one by one, and who finds them."""
