"""Level 2: the ways of packets through a network, from its structure and what its links showed."""
