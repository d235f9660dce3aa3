"""`make area`: the cost of networks after synthesis with Yosys."""
