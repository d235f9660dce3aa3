"""Blocks of networks as gates: for `make area` and for `make explore`."""
