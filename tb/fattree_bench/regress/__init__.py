"""Regressions: the testplan, what became of it, what is claimed."""
