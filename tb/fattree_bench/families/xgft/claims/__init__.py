"""Measures of what the papers claim of packet-switched fat-trees, by subject."""
