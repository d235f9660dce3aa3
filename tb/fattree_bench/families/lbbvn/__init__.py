"""Bufferless fat-tree of a load-balanced switch (Chueh et al. 2013)."""
