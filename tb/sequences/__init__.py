"""Stimulus: what flows through a driver."""
