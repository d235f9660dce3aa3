"""Coverage: what was tried, functional and in the code, and what need not be."""
