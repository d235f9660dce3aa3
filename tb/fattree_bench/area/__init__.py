"""`make area`: what networks are made of, after synthesis with Yosys."""
