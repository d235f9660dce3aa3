"""Bit-serial fat-tree with acknowledgements, retry, schedules (1985)."""
