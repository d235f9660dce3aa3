"""Environment, scoreboard, coverage and base test, written once for every network."""
