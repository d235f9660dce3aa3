"""Sequential equivalence of two netlists, proved with SAT modulo bit-vectors (bitwuzla).

Input is BTOR2 as Yosys writes it, and `hints`.  Nothing here knows which design it is.
"""
